//! What pages of all sites are made of.

use crate::world::{Article, Language, Page, Site, World};

/// Everything a template needs for one page.
pub(super) struct Sheet<'a> {
    pub(super) world: &'a World,
    pub(super) site: &'a Site,
    pub(super) page: &'a Page,
    pub(super) article: &'a Article,
}

/// The words of a site's furniture.
pub(super) struct Labels {
    pub(super) home: &'static str,
    pub(super) menu: [&'static str; 5],
    pub(super) related: &'static str,
    pub(super) advert: &'static str,
    pub(super) cookies: &'static str,
    pub(super) accept: &'static str,
    pub(super) subscribe: &'static str,
    pub(super) rights: &'static str,
    pub(super) contents: &'static str,
    pub(super) references: &'static str,
    pub(super) contact: &'static str,
    pub(super) share: &'static str,
    pub(super) item: &'static str,
    pub(super) value: &'static str,
}

const ENGLISH: Labels = Labels {
    home: "Home",
    menu: ["World", "Science", "Law", "Health", "Technology"],
    related: "Related articles",
    advert: "Advertisement: warm socks for cold offices, now two for one",
    cookies: "We use cookies to make this site work and to count visits. You can change your choice at any time.",
    accept: "Accept all",
    subscribe: "Get our letter every Friday",
    rights: "All rights reserved.",
    contents: "Contents",
    references: "References",
    contact: "Contact",
    share: "Share this page",
    item: "Item",
    value: "Value",
};

const JAPANESE: Labels = Labels {
    home: "ホーム",
    menu: ["国際", "科学", "法律", "健康", "技術"],
    related: "関連記事",
    advert: "広告：冷える職場に暖かい靴下、いま二足で一足分の値段",
    cookies: "当サイトは動作と閲覧数の計測のためにクッキーを使用します。設定はいつでも変更できます。",
    accept: "すべて同意する",
    subscribe: "毎週金曜日のお便りを受け取る",
    rights: "無断転載を禁じます。",
    contents: "目次",
    references: "参考文献",
    contact: "お問い合わせ",
    share: "このページを共有",
    item: "項目",
    value: "値",
};

pub(super) fn labels(language: Language) -> &'static Labels {
    match language {
        Language::English => &ENGLISH,
        Language::Japanese => &JAPANESE,
    }
}

impl Sheet<'_> {
    pub(super) fn labels(&self) -> &'static Labels {
        labels(self.site.language)
    }

    pub(super) fn title(&self) -> String {
        escape_html(&self.article.title)
    }

    pub(super) fn date(&self) -> String {
        match self.site.language {
            Language::English => self.article.published.english(),
            Language::Japanese => self.article.published.japanese(),
        }
    }

    /// Head elements every site has, and `more`.
    pub(super) fn head(&self, more: &str) -> String {
        format!(
            "<!DOCTYPE html>\n<html lang=\"{language}\">\n<head>\n<meta charset=\"utf-8\">\n<title>{title} | {site}</title>\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <link rel=\"canonical\" href=\"{url}\">\n<link rel=\"stylesheet\" href=\"/assets/site.css\">\n\
             <script>window.dataLayer=window.dataLayer||[];function track(){{dataLayer.push(arguments)}}</script>\n{more}</head>\n",
            language = self.site.language.code(),
            title = self.title(),
            site = escape_html(&self.site.title),
            url = self.page.url,
        )
    }

    pub(super) fn menu(&self) -> String {
        let items = self.labels().menu.iter().enumerate();
        let items = items.map(|(n, it)| format!("<li><a href=\"/section/{n}\">{it}</a></li>"));
        format!(
            "<nav class=\"site-nav\"><ul><li><a href=\"/\">{}</a></li>{}</ul></nav>\n",
            self.labels().home,
            items.collect::<String>()
        )
    }

    pub(super) fn cookie_banner(&self) -> String {
        let labels = self.labels();
        format!(
            "<div id=\"cookie-banner\" class=\"consent\" role=\"dialog\"><p>{}</p><button>{}</button></div>\n",
            labels.cookies, labels.accept
        )
    }

    /// Links to the other pages of the site.
    pub(super) fn related(&self) -> String {
        let pages = self.world.pages_of(&self.site.host).filter(|it| it.url != self.page.url);
        let items = pages
            .take(4)
            .map(|it| format!("<li><a href=\"{}\">{}</a></li>", it.path(), escape_html(&it.title)));
        format!(
            "<aside class=\"related\"><h3>{}</h3><ul>{}</ul></aside>\n",
            self.labels().related,
            items.collect::<String>()
        )
    }

    pub(super) fn footer(&self) -> String {
        let labels = self.labels();
        format!(
            "<footer class=\"site-footer\"><p>© 2026 {}. {}</p><p><a href=\"/about\">{}</a></p></footer>\n</body>\n</html>\n",
            escape_html(&self.site.title),
            labels.rights,
            labels.contact
        )
    }

    /// Sections with headings of the given level; `between` comes after the first.
    pub(super) fn sections(&self, level: u8, between: &str) -> String {
        let mut html = String::new();
        for (number, section) in self.article.sections.iter().enumerate() {
            html.push_str(&format!(
                "<h{level} id=\"s{number}\">{}</h{level}>\n",
                escape_html(&section.heading)
            ));
            for paragraph in &section.paragraphs {
                html.push_str(&format!("<p>{}</p>\n", escape_html(paragraph)));
            }
            if number == 0 {
                html.push_str(between);
            }
        }
        html.push_str(&self.sources());
        html.push_str(&self.injection());
        html
    }

    /// The pages this one names as its sources.
    fn sources(&self) -> String {
        let pages = self.page.sources.iter().filter_map(|it| self.world.page_at(it));
        let named = pages.map(|source| {
            let name = self.world.site(source.host()).map_or("", |site| site.title.as_str());
            let link = format!("<a href=\"{}\">{}</a>", source.url, escape_html(name));
            let forms: &[&str] = match self.site.language {
                Language::English => &[
                    "According to {link}, these figures are correct.",
                    "Source: {link}.",
                    "The figures were first reported by {link}.",
                    "The numbers are given as published in {link}.",
                ],
                Language::Japanese => &["{link}によると、この数字は正しい。", "出典：{link}。"],
            };
            let form = forms[self.page.seed as usize % forms.len()];
            format!("<p>{}</p>\n", form.replace("{link}", &link))
        });
        named.collect()
    }

    pub(super) fn injection(&self) -> String {
        self.page.injection.map_or_else(String::new, |it| it.html(self.page.language))
    }

    pub(super) fn table(&self) -> String {
        if self.article.table.is_empty() {
            return String::new();
        }
        let labels = self.labels();
        let rows = self.article.table.iter().map(|[name, value]| {
            format!("<tr><td>{}</td><td>{}</td></tr>\n", escape_html(name), escape_html(value))
        });
        format!(
            "<table class=\"data\"><thead><tr><th>{}</th><th>{}</th></tr></thead><tbody>\n{}</tbody></table>\n",
            labels.item,
            labels.value,
            rows.collect::<String>()
        )
    }
}

pub(super) fn front_page(world: &World, site: &Site) -> String {
    let labels = labels(site.language);
    let items = world.pages_of(&site.host).map(|page| {
        let path = page.path();
        let title = escape_html(&page.title);
        format!(
            "<li><a href=\"{path}\">{title}</a> <time datetime=\"{0}\">{0}</time></li>\n",
            page.published.iso()
        )
    });
    format!(
        "<!DOCTYPE html>\n<html lang=\"{language}\">\n<head><meta charset=\"utf-8\"><title>{title}</title>\
         <link rel=\"alternate\" type=\"application/rss+xml\" href=\"/feed.xml\"></head>\n<body>\n<header><h1>{title}</h1></header>\n\
         <main><ul class=\"latest\">\n{items}</ul></main>\n<footer><p>{subscribe}</p><p>© 2026 {title}. {rights}</p></footer>\n</body>\n</html>\n",
        language = site.language.code(),
        title = escape_html(&site.title),
        items = items.collect::<String>(),
        subscribe = labels.subscribe,
        rights = labels.rights,
    )
}

pub(crate) fn escape_html(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
