//! How often the kind is told right on public pages, where they are at hand:
//! `LYRA_EVAL_DATA=DIR cargo nextest run -p extract public_page --no-capture`.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;
use url::Url;

use super::{PageType, page_type};
use crate::gate::gate;
use crate::view::of_page::Page;

/// The kinds of the benchmark, and theirs here; what a product or a service is has no kind of its own.
const KINDS: [(&[&str], Option<PageType>); 6] = [
    (&["article"], Some(PageType::Article)),
    (&["documentation"], Some(PageType::Knowledge)),
    (&["forum"], Some(PageType::Forum)),
    (&["listing", "collection"], Some(PageType::List)),
    (&["product"], None),
    (&["service"], None),
];

struct Labelled {
    name: String,
    kind: String,
    page: Page,
}

fn labelled_pages(data: &Path) -> Vec<Labelled> {
    let folder = data.join("extraction/wcxb_dev");
    let truths = fs::read_dir(folder.join("ground-truth")).unwrap();
    truths.map(|it| labelled(&folder, &it.unwrap().path())).collect()
}

/// Articles that browsers test their reading view with.
fn readable_pages(data: &Path) -> Vec<(String, Page)> {
    let folders = fs::read_dir(data.join("extraction/readability/test/test-pages")).unwrap();
    let page = |folder: PathBuf| {
        let name = folder.file_name().unwrap().to_str().unwrap().to_owned();
        // Small pages are not packed.
        let plain = folder.join("source.html");
        let bytes = if plain.exists() {
            fs::read(plain).unwrap()
        } else {
            unpacked(&folder.join("source.html.gz"))
        };
        (name, Page::of(String::from_utf8_lossy(&bytes)).status(200))
    };
    folders.map(|it| page(it.unwrap().path())).collect()
}

fn unpacked(path: &Path) -> Vec<u8> {
    let mut bytes = Vec::new();
    GzDecoder::new(File::open(path).unwrap()).read_to_end(&mut bytes).unwrap();
    bytes
}

fn labelled(folder: &Path, truth: &Path) -> Labelled {
    let name = truth.file_stem().unwrap().to_str().unwrap().to_owned();
    let truth: serde_json::Value = serde_json::from_slice(&fs::read(truth).unwrap()).unwrap();
    let bytes = unpacked(&folder.join(format!("html/{name}.html.gz")));
    let page = Page::of(String::from_utf8_lossy(&bytes)).status(200);
    // One page of the set has no address.
    let url = Url::parse(truth["url"].as_str().unwrap()).ok();
    let kind = truth["_internal"]["page_type"]["primary"].as_str().unwrap().to_owned();
    Labelled { name, kind, page: Page { url, ..page } }
}

#[test]
fn the_kind_of_public_pages_is_told_right_four_times_in_five() {
    let Some(data) = testkit::public_data() else { return };
    let pages = labelled_pages(&data);
    for (kinds, expected) in KINDS {
        let mut taken_for: BTreeMap<String, u32> = BTreeMap::new();
        let mut all = 0;
        for it in pages.iter().filter(|it| kinds.contains(&it.kind.as_str())) {
            let typed = it.page.judged(|view| page_type(view, gate(view).as_ref()));
            *taken_for.entry(format!("{:?}", typed.page_type)).or_default() += 1;
            all += 1;
            if expected.is_some_and(|it| it != typed.page_type) {
                println!("{} {}: {:?} by {:?}", it.name, it.kind, typed.page_type, typed.reasons);
            }
        }
        println!("{kinds:?}, {all} pages: {taken_for:?}");
        if let Some(expected) = expected {
            let right = taken_for.get(&format!("{expected:?}")).copied().unwrap_or(0);
            assert!(f64::from(right) >= 0.8 * f64::from(all), "{kinds:?}: {right} of {all}");
        }
    }
}

#[test]
fn no_public_page_is_taken_for_a_gate() {
    let Some(data) = testkit::public_data() else { return };
    let labelled = labelled_pages(&data).into_iter().map(|it| (it.name, it.page));
    let pages: Vec<_> = labelled.chain(readable_pages(&data)).collect();
    let gates: Vec<_> = pages.iter().filter_map(|it| Some((&it.0, it.1.judged(gate)?))).collect();
    println!("{} pages", pages.len());
    assert_eq!(gates, []);
}
