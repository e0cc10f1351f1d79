use proptest::prelude::*;

use super::*;

/// `kind value` for each identifier, with `; ` between.
fn shown(text: &str) -> String {
    let all: Vec<String> = find(text)
        .iter()
        .map(|it| format!("{} {}", format!("{:?}", it.kind).to_lowercase(), it.value))
        .collect();
    all.join("; ")
}

fn check(cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        assert_eq!(shown(text), *expected, "{text}");
    }
}

#[test]
fn dois_end_where_the_sentence_goes_on() {
    check(&[
        ("10.1000/182", "doi 10.1000/182"),
        ("See doi:10.1000/182.", "doi 10.1000/182"),
        ("DOI 10.1038/NATURE12373, and", "doi 10.1038/nature12373"),
        ("DOI10.1038/nature12373", "doi 10.1038/nature12373"),
        ("(https://doi.org/10.1000/182)", "doi 10.1000/182"),
        ("(doi: 10.1016/S0140-6736(20)30183-5).", "doi 10.1016/s0140-6736(20)30183-5"),
        ("[10.1000/a[1]b]", "doi 10.1000/a[1]b"),
        ("doi = {10.1000/182},", "doi 10.1000/182"),
        ("“10.1000/182”", "doi 10.1000/182"),
        ("<a>10.1000/182</a>", "doi 10.1000/182"),
        ("10.1000/182; 10.1000/183", "doi 10.1000/182; doi 10.1000/183"),
        ("10.1000.10/123", "doi 10.1000.10/123"),
        (
            "10.1002/(SICI)1097-4571(199806)49:8<693::AID-ASI4>3.0.CO;2-O.",
            "doi 10.1002/(sici)1097-4571(199806)49:8<693::aid-asi4>3.0.co;2-o",
        ),
        ("論文（10.1000/182）を参照", "doi 10.1000/182"),
        ("詳しくは10.1000/182を参照。", "doi 10.1000/182"),
        ("ＤＯＩ：１０．１０００／１８２", "doi 10.1000/182"),
        ("10.1000/ab\u{200b}cd\u{ad}ef", "doi 10.1000/abcdef"),
        ("10.48550/arXiv.2101.00001", "doi 10.48550/arxiv.2101.00001"),
    ]);
}

#[test]
fn dois_in_addresses_lose_what_belongs_to_the_address() {
    check(&[
        ("https://doi.org/10.1000/182?utm_source=x#a", "doi 10.1000/182"),
        ("dx.doi.org/10.1000%2F182", "doi 10.1000/182"),
        ("https://doi.org/10.1016/S0140-6736%2820%2930183-5", "doi 10.1016/s0140-6736(20)30183-5"),
        ("https://a.example/r?u=https%3A%2F%2Fdoi.org%2F10.1000%2F182", "doi 10.1000/182"),
        (
            "https://www.frontiersin.org/articles/10.3389/fpsyg.2019.00123/full",
            "doi 10.3389/fpsyg.2019.00123",
        ),
        ("https://onlinelibrary.wiley.com/doi/epdf/10.1002/abc.123", "doi 10.1002/abc.123"),
        (
            "https://www.biorxiv.org/content/10.1101/2020.01.30.927871v2.full.pdf",
            "doi 10.1101/2020.01.30.927871",
        ),
        ("https://api.example/works?doi=10.1000/182&format=json", "doi 10.1000/182"),
    ]);
}

#[test]
fn numbers_that_only_look_like_dois_are_left_alone() {
    check(&[
        ("version 10.1.2/x", ""),
        ("10.12/34", ""),
        ("10.0123/456", ""),
        ("110.1000/182", ""),
        ("192.168.10.1000/24", ""),
        ("10.1000/", ""),
        ("10.1000/.", ""),
        ("10.1000 182", ""),
        ("on 10.12.2023/Monday", ""),
        ("price 10.50/kg", ""),
        ("10.12345678901/x", ""),
    ]);
}

#[test]
fn pubmed_numbers_need_a_word_that_says_so() {
    check(&[
        ("PMID: 123", "pmid 123"),
        ("PMID 31978945.", "pmid 31978945"),
        ("pmid:31978945", "pmid 31978945"),
        ("[PubMed PMID: 31978945]", "pmid 31978945"),
        ("PubMed ID: 31978945", "pmid 31978945"),
        ("[PubMed: 31978945]", "pmid 31978945"),
        ("https://pubmed.ncbi.nlm.nih.gov/31978945/", "pmid 31978945"),
        ("https://www.ncbi.nlm.nih.gov/pubmed/31978945", "pmid 31978945"),
        ("ＰＭＩＤ：３１９７８９４５", "pmid 31978945"),
        ("PMCID: PMC7092803", "pmcid PMC7092803"),
        ("PMCID: 7092803", "pmcid PMC7092803"),
        ("PMC7092803.1", "pmcid PMC7092803"),
        ("PMID: 31978945; PMCID: PMC7092803", "pmid 31978945; pmcid PMC7092803"),
        ("https://pmc.ncbi.nlm.nih.gov/articles/PMC7092803/", "pmcid PMC7092803"),
    ]);
    check(&[
        ("31978945", ""),
        ("PubMed: 1990-2020", ""),
        ("searched PubMed 2020", ""),
        ("PMID: 123456789", ""),
        ("PMID: 0123", ""),
        ("PMID: 12-34", ""),
        ("PMID: abc", ""),
        ("PMC 2020", ""),
        ("PMC123", ""),
        ("XPMC7092803", ""),
        ("PMC7092803a", ""),
    ]);
}

#[test]
fn arxiv_numbers_lose_their_version() {
    check(&[
        ("arXiv:2101.00001v2", "arxiv 2101.00001"),
        ("arXiv: 0704.0001", "arxiv 0704.0001"),
        ("arXiv preprint arXiv:1706.03762 (2017)", "arxiv 1706.03762"),
        ("arXiv 2101.00001 [cs.CL]", "arxiv 2101.00001"),
        ("arXiv:hep-th/9901001v3", "arxiv hep-th/9901001"),
        ("arXiv:math.GT/0309136", "arxiv math/0309136"),
        ("https://arxiv.org/abs/2101.00001v2", "arxiv 2101.00001"),
        ("https://arxiv.org/pdf/2101.00001.pdf", "arxiv 2101.00001"),
        ("https://arxiv.org/abs/cond-mat/0001001", "arxiv cond-mat/0001001"),
        ("ａｒＸｉｖ：２１０１．００００１", "arxiv 2101.00001"),
    ]);
    check(&[
        ("2101.00001", ""),
        ("arXiv:2113.00001", ""),
        ("arXiv:2101.0001", ""),
        ("arXiv:0703.0001", ""),
        ("arXiv:1412.00001", ""),
        ("arXiv version 2.0", ""),
        ("arXiv:foo/9901001", ""),
        ("arXiv in 2021.12345 ways", ""),
        ("https://arxiv.org/list/cs.CL/recent", ""),
    ]);
}

#[test]
fn isbns_are_checked_and_written_with_thirteen_digits() {
    check(&[
        ("ISBN 0-306-40615-2", "isbn 9780306406157"),
        ("ISBN: 0306406152", "isbn 9780306406157"),
        ("ISBN-10: 0-306-40615-2", "isbn 9780306406157"),
        ("ISBN-13: 978-0-306-40615-7", "isbn 9780306406157"),
        ("ISBN 978 0 306 40615 7", "isbn 9780306406157"),
        ("ISBN 080442957X", "isbn 9780804429573"),
        ("978-4-00-310101-8", "isbn 9784003101018"),
        ("ＩＳＢＮ９７８−４−００−３１０１０１−８", "isbn 9784003101018"),
        ("ISBN978-4-00-310101-8 C0193", "isbn 9784003101018"),
        ("ISBN 0306406152 2004", "isbn 9780306406157"),
        ("979-10-90636-07-1", "isbn 9791090636071"),
    ]);
    check(&[
        ("ISBN 0-306-40615-3", ""),
        ("978-0-306-40615-8", ""),
        ("9780306406157", ""),
        ("978 0 306 40615 7", ""),
        ("0-306-40615-2", ""),
        ("ISBN 979-0-2600-0043-8", ""),
        ("978-555-0123", ""),
        ("1-978-0-306-40615-7", ""),
        ("ISBN 0-000-00000-0", ""),
    ]);
}

#[test]
fn patents_are_written_as_country_number_and_kind() {
    check(&[
        ("US10123456B2", "patent US10123456B2"),
        ("US 10,123,456 B2", "patent US10123456B2"),
        ("US-10123456-B2", "patent US10123456B2"),
        ("U.S. Patent No. 10,123,456", "patent US10123456"),
        ("US Pat. No. 7,654,321", "patent US7654321"),
        ("US 2020/0123456 A1", "patent US20200123456A1"),
        ("US20200123456A1", "patent US20200123456A1"),
        ("EP 1 234 567 B1", "patent EP1234567B1"),
        ("EP1234567A1", "patent EP1234567A1"),
        ("European patent EP 1234567", "patent EP1234567"),
        ("WO 2020/123456 A1", "patent WO2020123456A1"),
        ("WO2020123456", "patent WO2020123456"),
        ("WO 99/12345", "patent WO1999012345"),
        ("https://patents.google.com/patent/US10123456B2/en", "patent US10123456B2"),
        ("JP2020-123456A", "patent JP2020123456A"),
        ("JP 2020-123456 A", "patent JP2020123456A"),
        ("JP6123456B2", "patent JP6123456B"),
        ("JPH10-123456A", "patent JPH10123456A"),
        ("特許第1234567号", "patent JP1234567B"),
        ("特許番号：第６１２３４５６号", "patent JP6123456B"),
        ("特許6123456", "patent JP6123456B"),
        ("特開2020-123456号公報", "patent JP2020123456A"),
        ("特開２０２０－１２３４５６", "patent JP2020123456A"),
        ("特開2020-1234", "patent JP2020001234A"),
        ("特開平10-123456", "patent JPH10123456A"),
        ("特開昭60-12345", "patent JPS60012345A"),
        ("特公平7-12345", "patent JPH07012345B"),
        ("特表2020-512345", "patent JP2020512345A"),
        ("特願2020-123456", "patent JP2020123456"),
        ("再表2018/123456", "patent JPWO2018123456A1"),
    ]);
    check(&[
        ("US 2020", ""),
        ("US 1,234,567 people", ""),
        ("call US 1-800-123-4567", ""),
        ("US 2020/01/15", ""),
        ("US $10,123,456", ""),
        ("us 10123456", ""),
        ("VIRUS10123456", ""),
        ("EP 2023", ""),
        ("EP 12.5", ""),
        ("WO 20/20", ""),
        ("JP2020", ""),
        ("JP 03-1234-5678", ""),
        ("特許庁2020年", ""),
        ("特許第2020年度", ""),
        ("特開2020年", ""),
        ("特開1999-123456", ""),
        ("特願2020-1234567", ""),
    ]);
}

#[test]
fn dates_versions_and_phone_numbers_name_no_work() {
    check(&[
        ("2023-10-12", ""),
        ("10.12.2023", ""),
        ("10/12/2023", ""),
        ("+81-3-1234-5678", ""),
        ("03-1234-5678", ""),
        ("(978) 555-0123", ""),
        ("v10.1000.3", ""),
        ("Python 3.10.1000", ""),
        ("令和2年10月12日", ""),
        ("10.1000円/月", ""),
    ]);
}

#[test]
fn positions_are_characters_of_the_text_as_it_came() {
    let text = "論文はＤＯＩ：１０．１０００／１８２とPMID: 123です";
    let found: Vec<(String, String)> = find(text)
        .iter()
        .map(|identifier| {
            let (start, end) = identifier.position.unwrap();
            (text.chars().skip(start).take(end - start).collect(), identifier.value.clone())
        })
        .collect();
    assert_eq!(
        found,
        [
            ("１０．１０００／１８２".to_owned(), "10.1000/182".to_owned()),
            ("123".to_owned(), "123".to_owned())
        ]
    );
}

#[test]
fn addresses_name_the_work_they_show() {
    let named =
        |url: &str| of_url(&Url::parse(url).unwrap()).map(|it| (it.kind, it.value, it.position));
    use IdentifierKind::{Arxiv, Doi, Isbn, Patent, Pmcid, Pmid};
    for (url, kind, value) in [
        ("https://doi.org/10.1000/182", Doi, "10.1000/182"),
        ("http://dx.doi.org/10.1000%2F182", Doi, "10.1000/182"),
        (
            "https://doi.org/10.1002/(SICI)1097%3C693::AID%3E3.0.CO;2-O",
            Doi,
            "10.1002/(sici)1097<693::aid>3.0.co;2-o",
        ),
        ("https://www.tandfonline.com/doi/full/10.1080/123?src=recsys", Doi, "10.1080/123"),
        ("https://www.jstage.jst.go.jp/view?doi=10.1253/circj.cj-1&x=1", Doi, "10.1253/circj.cj-1"),
        ("https://pubmed.ncbi.nlm.nih.gov/31978945/?from=x", Pmid, "31978945"),
        ("https://europepmc.org/article/MED/31978945", Pmid, "31978945"),
        ("https://www.ncbi.nlm.nih.gov/pmc/articles/PMC7092803/pdf/a.pdf", Pmcid, "PMC7092803"),
        ("https://arxiv.org/abs/2101.00001v3", Arxiv, "2101.00001"),
        ("https://export.arxiv.org/pdf/hep-th/9901001", Arxiv, "hep-th/9901001"),
        ("https://openlibrary.org/isbn/0306406152", Isbn, "9780306406157"),
        ("https://www.amazon.co.jp/dp/0306406152/ref=x", Isbn, "9780306406157"),
        ("https://patents.google.com/patent/JP2020123456A/ja", Patent, "JP2020123456A"),
        ("https://patents.google.com/patent/us10123456b2/en", Patent, "US10123456B2"),
        (
            "https://patentscope.wipo.int/search/en/detail.jsf?docId=WO2020123456",
            Patent,
            "WO2020123456",
        ),
    ] {
        assert_eq!(named(url), Some((kind, value.to_owned(), None)), "{url}");
    }
    for url in [
        "https://example.com/2023/10/12/news",
        "https://arxiv.org/list/cs.CL/recent",
        "https://pubmed.ncbi.nlm.nih.gov/?term=cancer",
        "https://example.com/articles/PMC7092803",
        "https://www.amazon.co.jp/dp/B012345678",
        "mailto:10.1000/182@example.com",
    ] {
        assert_eq!(named(url), None, "{url}");
    }
}

#[test]
fn values_said_to_be_of_a_kind_are_written_in_its_normal_form() {
    use IdentifierKind::{Arxiv, Doi, Isbn, Patent, Pmcid, Pmid};
    for (kind, raw, value) in [
        (Doi, " https://doi.org/10.1000/ABC ", Some("10.1000/abc")),
        (Doi, "doi:10.1000/abc", Some("10.1000/abc")),
        (Doi, "11.1000/abc", None),
        (Pmid, "31978945", Some("31978945")),
        (Pmid, "https://pubmed.ncbi.nlm.nih.gov/31978945/", Some("31978945")),
        (Pmid, "x31978945", None),
        (Pmcid, "7092803", Some("PMC7092803")),
        (Pmcid, "pmc7092803", Some("PMC7092803")),
        (Pmcid, "", None),
        (Arxiv, "2101.00001v2", Some("2101.00001")),
        (Arxiv, "arXiv:2101.00001", Some("2101.00001")),
        (Arxiv, "10.48550/arXiv.2101.00001", Some("2101.00001")),
        (Arxiv, "2101", None),
        (Isbn, "0-306-40615-2", Some("9780306406157")),
        (Isbn, "urn:isbn:0306406152", Some("9780306406157")),
        (Isbn, "0306406153", None),
        (Patent, "特開2020-123456", Some("JP2020123456A")),
        (Patent, "US10123456B2", Some("US10123456B2")),
        (Patent, "10123456", None),
    ] {
        assert_eq!(normalise(kind, raw).as_deref(), value, "{kind:?} {raw}");
    }
}

#[test]
fn a_megabyte_of_half_identifiers_is_read_in_linear_time() {
    for part in [
        "10.1000/",
        "US ",
        "PMC",
        "arXiv preprint ",
        "978-",
        "特許",
        "isbn 10 ",
        "10.1000/(((",
        "%2F10.1000%2F",
    ] {
        let text = part.repeat((1 << 20) / part.len());
        assert!(find(&text).len() <= text.len() / part.len(), "{part}");
    }
}

proptest! {
    #[test]
    fn any_text_can_be_searched_and_positions_hold(text in "(\\PC|10\\.1000/|PMID: |US|特許第|[0-9]{1,8}|[-/., ()]){0,60}") {
        let length = text.chars().count();
        let mut last = 0;
        for it in find(&text) {
            let (start, end) = it.position.unwrap();
            prop_assert!(last <= start && start < end && end <= length);
            last = end;
        }
    }

    #[test]
    fn normalising_twice_is_normalising_once(text in "(10\\.1000/|PMID: |PMC|arXiv:|ISBN |US|JP|特開|[0-9]{1,8}|[-/.()%a-fB]|２|\u{200b}){0,20}") {
        for it in find(&text) {
            prop_assert_eq!(normalise(it.kind, &it.value), Some(it.value));
        }
    }
}
