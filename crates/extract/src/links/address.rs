//! Addresses as they are compared and fetched: absolute, without what only follows people around.

use url::Url;

/// Parameters that tell a site where a visitor came from and change nothing about the page.
/// A name that ends in `*` stands for all that begin so.
const TRACKING: [&str; 36] = [
    "utm_*",
    "fbclid",
    "gclid",
    "gclsrc",
    "dclid",
    "gbraid",
    "wbraid",
    "gad_source",
    "gad_campaignid",
    "srsltid",
    "_ga",
    "_gl",
    "msclkid",
    "yclid",
    "ysclid",
    "twclid",
    "ttclid",
    "igshid",
    "igsh",
    "li_fat_id",
    "mc_cid",
    "mc_eid",
    "mkt_tok",
    "_hsenc",
    "_hsmi",
    "hsa_*",
    "vero_id",
    "oly_anon_id",
    "oly_enc_id",
    "wickedid",
    "pk_*",
    "mtm_*",
    "ref_src",
    "ref_url",
    "s_kwcid",
    "_openstat",
];

/// An address as it is compared and fetched: absolute, without fragment, credentials and tracking parameters.
pub fn clean_address(href: &str, base: Option<&Url>) -> Option<Url> {
    resolved(href, base, None)
}

/// Resolves an address as written. `None` for what cannot be fetched (`mailto:`, `javascript:`) and
/// for places on the same page.
pub(super) fn resolved(href: &str, base: Option<&Url>, page: Option<&Url>) -> Option<Url> {
    let mut url = match base.or(page) {
        Some(base) => base.join(href.trim()).ok()?,
        None => Url::parse(href.trim()).ok()?,
    };
    if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
        return None;
    }
    url.set_fragment(None);
    // Both are possible for every address with a host.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    let kept = url.query().map(without_tracking);
    if let Some(kept) = kept {
        url.set_query(kept.as_deref());
    }
    let same = page.is_some_and(|page| {
        let mut page = page.clone();
        page.set_fragment(None);
        page == url
    });
    (!same).then_some(url)
}

/// The parameters left, exactly as written; `None` where there are none.
fn without_tracking(query: &str) -> Option<String> {
    let kept: Vec<&str> = query.split('&').filter(|it| !is_tracking(it)).collect();
    let kept = kept.join("&");
    (!kept.is_empty()).then_some(kept)
}

fn is_tracking(parameter: &str) -> bool {
    let name = parameter.split('=').next().unwrap_or_default().to_ascii_lowercase();
    TRACKING.iter().any(|pattern| match pattern.strip_suffix('*') {
        Some(prefix) => name.starts_with(prefix),
        None => name == *pattern,
    })
}
