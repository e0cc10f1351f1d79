//! Pages of every kind, and the reasons given for them.

use super::page_type;
use crate::gate::gate;
use crate::view::of_page::Page;

/// The kind, then a reason a line.
fn told(page: &Page) -> String {
    let typed = page.judged(|view| page_type(view, gate(view).as_ref()));
    let kind = serde_json::to_string(&typed.page_type).unwrap();
    format!("{}\n{}", kind.trim_matches('"'), typed.reasons.join("\n"))
}

/// A page of some paragraphs on walking.
fn paragraphs(count: usize) -> String {
    "<p>The path follows the river for an hour, then climbs through old beeches to a hut where \
     walkers rest, mend their boots and write the weather into a book that nobody ever takes away.</p>"
        .repeat(count)
}

fn page(title: &str, body: &str) -> Page {
    Page::of(format!("<html><head><title>{title}</title></head><body>{body}</body></html>"))
}

#[test]
fn sentences_under_a_date_are_an_article() {
    let page =
        page("Along the river", &paragraphs(20)).at("https://news.example.com/2025/06/river");
    insta::assert_snapshot!(told(&page), @r"
    article
    its address has a date
    100% of its words are in sentences
    it has 680 words of sentences
    ");
}

#[test]
fn what_scholars_mark_as_such_is_a_paper() {
    let marked = Page::of(
        "<meta name=citation_title content='Ice flow'><h1>Ice flow</h1><h2>Abstract</h2>\
         <p>We measured the flow of three glaciers over nine years and compare it with what models say.</p>\
         <h2>1. Methods</h2><h2>References</h2>",
    );
    insta::assert_snapshot!(told(&marked), @r"
    paper
    it says of itself that it is a paper
    it has an abstract
    it has a list of references
    ");
    let japanese = page(
        "氷河の流れについて",
        "<h1>氷河の流れについて</h1><h2>要旨</h2><p>三つの氷河の流れを九年間にわたって測り、模型による計算と比べた。</p>\
         <h2>1. はじめに</h2><h2>参考文献</h2>",
    );
    insta::assert_snapshot!(told(&japanese), @r"
    paper
    it has an abstract
    it has a list of references
    ");
}

#[test]
fn manuals_and_answers_to_frequent_questions_are_knowledge() {
    let manual = page("Pipes - Reference", &format!("{}<pre>a | b</pre>", paragraphs(3)))
        .at("https://docs.example.dev/shell/pipes");
    insta::assert_snapshot!(told(&manual), @r"
    knowledge
    its host is called docs
    the title says “reference”
    ");
    let questions = page("よくある質問｜例示市", "<h2>証明書はどこで取れますか</h2><p>市民課の窓口、または駅前の出張所でお取りいただけます。平日の夜間も受け付けています。</p>")
        .at("https://www.city.example.jp/faq/12.html");
    insta::assert_snapshot!(told(&questions), @r"
    knowledge
    its address holds /faq
    the title says “よくある質問”
    ");
}

#[test]
fn a_thread_is_a_forum_and_an_article_with_comments_is_not() {
    let post = "<div class=post><a href=/u>anna</a><p>I have had mine for two winters and it has \
                never let me down, but do change the ring before it gets cold, they all leak.</p></div>";
    let thread = page("Which oil? - Gearbox Forum", &post.repeat(6))
        .at("https://www.oldcars.example/threads/which-oil.55/");
    insta::assert_snapshot!(told(&thread), @r"
    forum
    its address holds /threads
    the title says “forum”
    6 posts of one kind
    people answer each other on it
    ");
    let article = page("Along the river", &format!("{}{}", paragraphs(30), post.repeat(6)))
        .at("https://news.example.com/2025/06/river");
    insta::assert_snapshot!(told(&article).lines().next().unwrap(), @"article");
}

#[test]
fn announcements_of_offices_and_companies_are_notices() {
    let notice = page(
        "断水のお知らせ｜例示市",
        "<h1>断水のお知らせ</h1><p>水道管の取替工事のため、下記のとおり断水します。ご不便をおかけしますが、ご協力をお願いします。</p>",
    )
    .at("https://www.city.example.jp/suido/oshirase/12.html");
    insta::assert_snapshot!(told(&notice), @r"
    notice
    its address holds /oshirase
    the title says “お知らせ”
    ");
    let release = page(
        "Example Corp. Announces Results of Third Quarter",
        &format!("<p>FOR IMMEDIATE RELEASE</p>{}", paragraphs(6)),
    )
    .at("https://www.example.com/press-releases/2025/q3");
    insta::assert_snapshot!(told(&release), @r"
    notice
    its address holds /press-releases
    the title says “announces”
    the text says “for immediate release”
    ");
}

#[test]
fn indexes_results_and_grids_of_products_are_lists() {
    let item = "<li class=item><a href=/p>Cast iron pot with a lid</a> <span>$50</span></li>";
    let shop = page("Pots", &format!("<ul>{}</ul>", item.repeat(24)))
        .at("https://shop.example.com/category/pots");
    insta::assert_snapshot!(told(&shop), @r"
    list
    its address holds /category
    only 0% of its words are in sentences
    86% of its words are in links
    24 entries of one kind
    24 prices
    ");
    let results = page(
        "検索結果",
        "<ol><li><a href=/1>川沿いの道</a></li><li><a href=/2>森の小屋</a></li></ol>",
    )
    .at("https://example.jp/find?q=山");
    insta::assert_snapshot!(told(&results), @r"
    list
    its address asks a question
    the title says “検索結果”
    only 0% of its words are in sentences
    100% of its words are in links
    ");
    let section = page("News", &paragraphs(2)).at("https://example.com/news/");
    insta::assert_snapshot!(told(&section), @r"
    list
    its address ends at /news
    ");
}

#[test]
fn a_status_of_failure_is_an_error_whatever_the_page_holds() {
    insta::assert_snapshot!(told(&page("Along the river", &paragraphs(20)).status(404)), @r"
    error
    the server answered 404
    ");
    insta::assert_snapshot!(told(&Page::of("").status(500)), @r"
    error
    the server answered 500
    ");
}

#[test]
fn an_error_told_with_a_success_is_recognised_by_its_words() {
    let gone = page("Page not found", "<h1>Oops</h1><p>It went away.</p>").status(200);
    insta::assert_snapshot!(told(&gone), @r"
    soft_404
    the title says “page not found”
    it has only 0 words of sentences
    the server answered 200 all the same
    ");
    let japanese = page("例示市", "<p>お探しのページは見つかりませんでした。</p>").status(200);
    insta::assert_snapshot!(told(&japanese), @r"
    soft_404
    the text says “お探しのページ”
    it has only 0 words of sentences
    the server answered 200 all the same
    ");
    insta::assert_snapshot!(told(&page("404", "")), @r"
    soft_404
    the title says “404”
    it has only 0 words of sentences
    ");
    let failed = page("Example", "<p>Error establishing a database connection</p>").status(200);
    insta::assert_snapshot!(told(&failed), @r"
    error
    the text says “error establishing a database connection”
    it has only 0 words of sentences
    ");
    let article = page("Why every “page not found” costs a reader", &paragraphs(20)).status(200);
    insta::assert_snapshot!(told(&article).lines().next().unwrap(), @"article");
}

#[test]
fn a_gate_decides_and_hands_on_its_signs() {
    let login = page("Login", "<form><input type=text><input type=password></form>");
    insta::assert_snapshot!(told(&login), @r"
    login_wall
    it asks for a password
    the title says “Login”
    ");
    let challenge = page("Just a moment...", "").status(403);
    insta::assert_snapshot!(told(&challenge), @r"
    challenge
    the server answered 403
    the title says “just a moment...”
    ");
    let paid = page("川", "<p>町の川の話である。</p><p>この記事は有料会員限定です。</p>");
    insta::assert_snapshot!(told(&paid), @r"
    paywall
    the text says “有料会員限定”
    the text says “この記事は有料”
    the text says “会員限定”
    the text says “有料会員”
    ");
}

#[test]
fn a_page_of_nothing_is_called_an_article_for_want_of_a_reason() {
    insta::assert_snapshot!(told(&Page::of("")), @r"
    article
    nothing says what else it is
    ");
}
