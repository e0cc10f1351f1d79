use proptest::prelude::*;

use super::*;

/// Makes pieces from texts with links written `[anchor](href)`, one piece a text, and shows one link
/// a line. The only function here that knows how pieces are built.
fn read(texts: &[&str]) -> String {
    let (pieces, starts) = pieces(texts);
    let page = Url::parse("https://www.example.co.jp/news/today.html?id=1").unwrap();
    let all = links(&pieces, &starts, Some(&page), Some(&page), &ReadSettings::default());
    let lines = all.iter().map(|link| {
        let away = if link.leaves_site { "away" } else { "here" };
        format!(
            "{away} {} | {} | {} | {}",
            link.url,
            link.anchor,
            link.sentence,
            link.cues.join(", ")
        )
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn pieces(texts: &[&str]) -> (Vec<Piece>, Vec<usize>) {
    let mut pieces = Vec::new();
    let mut starts = Vec::new();
    let mut position = 0;
    for text in texts {
        let heading = text.strip_prefix("# ");
        let kind = if heading.is_some() { FragmentType::Heading } else { FragmentType::Paragraph };
        let mut piece = Piece::new(kind, 0, "");
        let mut rest = heading.unwrap_or(text);
        while let Some((before, tail)) = rest.split_once("](") {
            let (before, anchor) = before.rsplit_once('[').unwrap();
            let (href, tail) = tail.split_once(')').unwrap();
            piece.text.push_str(before);
            let start = piece.text.len();
            piece.text.push_str(anchor);
            piece.links.push(PieceLink { start, end: piece.text.len(), href: href.to_owned() });
            rest = tail;
        }
        piece.text.push_str(rest);
        starts.push(position);
        position += piece.text.chars().count() + 1;
        pieces.push(piece);
    }
    (pieces, starts)
}

#[test]
fn addresses_are_absolute_and_stay_or_leave_by_registrable_domain() {
    insta::assert_snapshot!(
        read(&[
            "[a](/a#part) [b](b.html) [c](//shop.example.co.jp/c) [d](https://other.co.jp/d) [e](?id=2)",
            "[mail](mailto:a@example.com) [script](javascript:void) [top](#top) [self](today.html?id=1#x)",
        ]),
        @r"
    here https://www.example.co.jp/a | a | a b c d e | 
    here https://www.example.co.jp/news/b.html | b | a b c d e | 
    here https://shop.example.co.jp/c | c | a b c d e | 
    away https://other.co.jp/d | d | a b c d e | 
    here https://www.example.co.jp/news/today.html?id=2 | e | a b c d e |
    "
    );
}

#[test]
fn tracking_parameters_and_credentials_are_dropped_and_others_kept_as_written() {
    insta::assert_snapshot!(
        read(&["[a](https://a.example/x?utm_source=t&q=%E6%9D%B1+1&UTM_Medium=m&fbclid=1&b) \
                [b](https://user:secret@a.example/?gclid=1) [c](https://a.example/?gclidx=1)"]),
        @r"
    away https://a.example/x?q=%E6%9D%B1+1&b | a | a b c | 
    away https://a.example/ | b | a b c | 
    away https://a.example/?gclidx=1 | c | a b c |
    "
    );
}

#[test]
fn the_sentence_around_a_link_ends_at_its_own_stop() {
    insta::assert_snapshot!(
        read(&[
            "First one. According to Dr. Smith et al. [the trial](https://a.example/1) cut deaths by 1.5%. Last one!",
            "前の文です。厚生労働省の[発表](https://b.example/2)によると、患者は減った。次の文です。",
            "「そうだ！」と[彼](https://b.example/3)は言った．終わり",
        ]),
        @"
    away https://a.example/1 | the trial | According to Dr. Smith et al. the trial cut deaths by 1.5%. | according to, et al.
    away https://b.example/2 | 発表 | 厚生労働省の発表によると、患者は減った。 | によると
    away https://b.example/3 | 彼 | 「そうだ！」と彼は言った． |
    "
    );
}

#[test]
fn cues_come_from_the_sentence_the_words_before_and_the_heading_above() {
    insta::assert_snapshot!(
        read(&[
            "出典：[総務省](https://a.example/1)",
            "Source: [WHO](https://a.example/2)",
            "Deaths fell.[1] [Journal](https://a.example/3)",
            "The sturdy [chair](https://a.example/4) is reportedly good.",
            "# 2. References",
            "[A book](https://a.example/5)",
            "# 参考文献",
            "[本](https://a.example/6)",
            "# Contact",
            "[Us](https://a.example/7)",
        ]),
        @"
    away https://a.example/1 | 総務省 | 出典：総務省 | 出典
    away https://a.example/2 | WHO | Source: WHO | source:
    away https://a.example/3 | Journal | Journal | [1]
    away https://a.example/4 | chair | The sturdy chair is reportedly good. | 
    away https://a.example/5 | A book | A book | references
    away https://a.example/6 | 本 | 本 | 参考文献
    away https://a.example/7 | Us | Us |
    "
    );
}

#[test]
fn positions_are_characters_of_the_documents_text() {
    let (pieces, starts) = pieces(&["日本語の段落", "これは[リンク](https://a.example/)です"]);
    let all = links(&pieces, &starts, None, None, &ReadSettings::default());
    let text = "日本語の段落\nこれはリンクです";
    let found: String =
        text.chars().skip(all[0].char_start).take(all[0].char_end - all[0].char_start).collect();
    assert_eq!((all.len(), found.as_str(), all[0].leaves_site), (1, "リンク", true));
}

#[test]
fn a_base_moves_addresses_but_not_the_site() {
    let (pieces, starts) = pieces(&["[a](a) [b](https://www.example.com/b)"]);
    let page = Url::parse("https://example.com/").unwrap();
    let base = Url::parse("https://cdn.example.net/x/").unwrap();
    let all = links(&pieces, &starts, Some(&page), Some(&base), &ReadSettings::default());
    let shown: Vec<_> = all.iter().map(|it| (it.url.as_str(), it.leaves_site)).collect();
    assert_eq!(
        shown,
        [("https://cdn.example.net/x/a", true), ("https://www.example.com/b", false)]
    );
}

#[test]
fn without_any_address_only_absolute_links_are_kept() {
    let (pieces, starts) = pieces(&["[a](a) [b](https://b.example/)"]);
    let all = links(&pieces, &starts, None, None, &ReadSettings::default());
    assert_eq!(all.iter().map(|it| it.url.as_str()).collect::<Vec<_>>(), ["https://b.example/"]);
}

#[test]
fn links_stop_at_the_limit_and_long_sentences_are_cut_around_the_link() {
    let options = ReadSettings { max_links: 3, link_context_chars: 20, ..ReadSettings::default() };
    let long = format!("{}[x](https://a.example/){}", "前".repeat(50), "後".repeat(50));
    let (pieces, starts) = pieces(&[&long, &long, &long, &long]);
    let all = links(&pieces, &starts, None, None, &options);
    assert_eq!(all.len(), 3);
    assert_eq!(all[0].sentence, format!("{}x{}", "前".repeat(10), "後".repeat(9)));
    assert_eq!((all[2].char_start, all[2].char_end), (2 * 102 + 50, 2 * 102 + 51));
}

#[test]
fn thousands_of_links_over_one_endless_sentence_take_linear_time() {
    let mut piece = Piece::new(FragmentType::Paragraph, 0, "a ".repeat(500_000));
    let end = piece.text.len();
    let link = |start| PieceLink { start, end, href: "https://a.example/".to_owned() };
    piece.links = (0..5_000).map(|it| link(it * 2)).collect();
    let all = links(&[piece], &[0], None, None, &ReadSettings::default());
    assert_eq!((all.len(), all[4_999].char_end), (5_000, 1_000_000));
}

proptest! {
    #[test]
    fn any_link_of_any_piece_can_be_read(text in "\\PC{0,30}", start in 0usize..40, length in 0usize..20, href in "\\PC{0,20}") {
        let mut piece = Piece::new(FragmentType::Paragraph, 0, text);
        piece.links.push(PieceLink { start, end: start + length, href });
        let page = Url::parse("https://example.com/").unwrap();
        links(&[piece], &[7], Some(&page), Some(&page), &ReadSettings::default());
    }
}
