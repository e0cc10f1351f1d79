//! Pages of five makes, judged to two places.

use super::quality;
use crate::view::of_page::Page;

/// The score, the six features, then a reason a line.
fn judged(page: &Page) -> String {
    let quality = page.judged(quality);
    let it = quality.features;
    format!(
        "score {:.2}\nadverts {:.2} links {:.2} template {:.2} repetition {:.2} uniformity {:.2} \
         aggregator {:.2}\n{}",
        quality.score,
        it.advert_density,
        it.link_density,
        it.template_share,
        it.ngram_repetition,
        it.sentence_uniformity,
        it.aggregator_signs,
        quality.reasons.join("\n")
    )
}

const ARTICLE: &str = "<nav><a href=/>Home</a> <a href=/news>News</a> <a href=/about>About us</a></nav>
<article><h1>The diary of the pass</h1>
<p>The school has fourteen children and one teacher, who came for a year and has stayed for twenty. She keeps a diary of the weather.</p>
<p>It has become the longest record of its kind in the district. Scientists from the coast now ask for it, and last summer two of them walked up with a box of instruments, a tent and, as it turned out, far too little bread. They stayed nine days.</p>
<p>In the notes one can see how the snow comes later and leaves earlier. In the nineteen-nineties the pass was open by the middle of May; in the last five years it was never closed after the end of April. Why? Nobody here asks that any more.</p>
<p>What they want to know is whether the springs will last. Two of the seven have failed, and the cooperative has started to write down, each week, how long it takes to fill a bucket at each of the others. The bucket is blue. It hangs, when it is not being filled, from a nail beside the school's fetcher.</p></article>
<footer><a href=/imprint>Imprint</a></footer>";

#[test]
fn an_article_written_for_readers_scores_high() {
    insta::assert_snapshot!(judged(&Page::of(ARTICLE).at("https://paper.example.com/pass")), @r"
    score 1.00
    adverts 0.00 links 0.03 template 0.03 repetition 0.00 uniformity 0.00 aggregator 0.00
    ");
}

#[test]
fn a_page_made_for_search_engines_scores_low() {
    let item = |name: &str| {
        format!(
            "<h2>{name} - best air fryer for small kitchens</h2><div class=adsbygoogle></div>\
             <p>If you are looking for the best air fryer for small kitchens, look no further. The {name} is the \
             best air fryer for small kitchens in 2025 and has everything you need to know about air fryers.</p>\
             <a rel=sponsored href='https://amzn.to/x'>Check price</a> <p>Click here to see the best deals on the {name}.</p>"
        )
    };
    let items: String =
        ["Alpha 3", "Bravo 5", "Comet 9", "Delta 2"].into_iter().map(item).collect();
    let page = Page::of(format!(
        "<h1>Best air fryer for small kitchens: the ultimate guide</h1><p>In this article, we will look at \
         the best air fryer for small kitchens. Without further ado, let's dive in.</p>{items}\
         <p>In conclusion, the best air fryer for small kitchens is the one you buy now.</p>"
    ));
    insta::assert_snapshot!(judged(&page.at("https://fryers.example.com/best")), @r"
    score 0.00
    adverts 0.59 links 0.03 template 0.03 repetition 0.59 uniformity 0.41 aggregator 1.00
    8 adverts and paid links among 272 words (-0.14)
    59% of the text repeats itself (-0.46)
    words of pages made for search engines 22 times (-0.45)
    ");
}

#[test]
fn a_page_that_only_gathers_others_scores_low() {
    let item = |index: usize| {
        format!(
            "<h3><a href='https://source{index}.example/{index}'>Story number {index} from elsewhere</a></h3>\
             <p>A few words on story {index}, <a href='https://source{index}.example/a'>as told there</a>. \
             Read the full article on <a href='https://source{index}.example/b'>source {index}</a>.</p>"
        )
    };
    let items: String = (1..=12).map(item).collect();
    let page =
        Page::of(format!("<h1>Today's links</h1>{items}")).at("https://links.example.com/today");
    insta::assert_snapshot!(judged(&page), @r"
    score 0.00
    adverts 0.00 links 0.47 template 0.24 repetition 0.56 uniformity 0.94 aggregator 1.00
    47% of the words are in links (-0.02)
    56% of the text repeats itself (-0.43)
    24 sentences of nearly one length (-0.22)
    words of aggregators 12 times, 24 links to other sites among 194 words (-0.45)
    ");
}

#[test]
fn a_japanese_page_stuffed_with_keywords_scores_low() {
    let page = Page::of(
        "<h1>渋谷 脱毛 おすすめランキング</h1>
<p>渋谷で脱毛サロンをお探しの方に、渋谷の脱毛サロンおすすめランキングを徹底解説します。渋谷の脱毛サロンは種類が多く、渋谷の脱毛サロン選びに迷う方も多いです。</p>
<p>渋谷の脱毛サロンおすすめランキング第一位は、渋谷の脱毛サロンで口コミ・評判が高いお店です。渋谷の脱毛サロンの最安値はこちら。公式サイトはこちら。</p>
<p>渋谷の脱毛サロンおすすめランキング第二位も、渋谷の脱毛サロンで口コミ・評判が高いお店です。渋谷の脱毛サロンの最安値はこちら。公式サイトはこちら。</p>
<p>いかがでしたか。渋谷の脱毛サロンおすすめランキングを徹底解説しました。渋谷の脱毛サロン選びの参考にしてください。</p>
<a href='https://px.a8.net/svt/ejp?a8mat=1'>公式</a><a href='https://px.a8.net/svt/ejp?a8mat=2'>公式</a>",
    );
    insta::assert_snapshot!(judged(&page.at("https://osusume.example.jp/shibuya")), @r"
    score 0.25
    adverts 0.29 links 0.01 template 0.01 repetition 0.37 uniformity 0.00 aggregator 1.00
    2 adverts and paid links among 136 words (-0.05)
    37% of the text repeats itself (-0.25)
    words of pages made for search engines 14 times (-0.45)
    ");
}

#[test]
fn a_japanese_article_written_for_readers_scores_high() {
    let page = Page::of(
        "<article><h1>峠の日記</h1><p>学校には十四人の子どもと一人の先生がいる。一年の約束で来て、もう二十年になる。</p>
<p>先生は毎日の天気を日記につけてきた。それはこの地方でいちばん長い記録になり、いまでは海辺の大学から研究者が訪ねてくる。去年の夏は二人が、箱いっぱいの器具とテントを背負って登ってきた。パンは足りなかった。</p>
<p>記録を見ると、雪は年ごとに遅く降り、早く消えるようになった。九十年代には峠が開くのは五月の半ばだったが、この五年は四月の終わりを過ぎて閉じていたことがない。なぜか、と聞く人はもういない。</p>
<p>村の人が知りたいのは、湧き水がもつかどうかだ。七つのうち二つは涸れた。組合では、桶がいっぱいになるまでの時間を毎週書きとめることにした。</p></article>",
    );
    insta::assert_snapshot!(judged(&page.at("https://shimbun.example.jp/pass")), @r"
    score 1.00
    adverts 0.00 links 0.00 template 0.00 repetition 0.00 uniformity 0.07 aggregator 0.00
    ");
}

#[test]
fn a_text_of_sentences_of_one_length_is_marked_down() {
    let subjects = [
        "Effective planning",
        "Clear communication",
        "Strong leadership",
        "Careful budgeting",
        "Honest feedback",
        "Regular training",
        "Modern software",
        "Shared knowledge",
        "Steady practice",
        "Open dialogue",
        "Local expertise",
        "Good documentation",
    ];
    let verbs = [
        "plays a crucial role in helping teams reach",
        "is a testament to the value of setting",
        "can unlock the full potential of meeting",
        "allows every company today to define",
        "makes it easier for people to follow",
        "gives all members a chance to shape",
    ];
    let goals = ["their goals.", "new targets.", "high standards.", "better results."];
    let text: String = subjects
        .iter()
        .enumerate()
        .map(|(at, it)| {
            format!("<p>{it} {} {}</p>", verbs[at % verbs.len()], goals[at % goals.len()])
        })
        .collect();
    insta::assert_snapshot!(judged(&Page::of(text)), @r"
    score 0.16
    adverts 0.00 links 0.00 template 0.00 repetition 0.26 uniformity 1.00 aggregator 1.00
    26% of the text repeats itself (-0.14)
    12 sentences of nearly one length (-0.25)
    words of language models 6 times (-0.45)
    ");
}

#[test]
fn empty_and_tiny_pages_are_judged_without_surprises() {
    insta::assert_snapshot!(judged(&Page::of("")), @r"
    score 0.30
    adverts 0.00 links 0.00 template 0.00 repetition 0.00 uniformity 0.00 aggregator 0.00
    only 0 words of content (-0.70)
    ");
    insta::assert_snapshot!(judged(&Page::of("<p>Closed today.</p>")), @r"
    score 0.32
    adverts 0.00 links 0.00 template 0.00 repetition 0.00 uniformity 0.00 aggregator 0.00
    only 2 words of content (-0.68)
    ");
}

#[test]
fn a_page_of_one_word_repeated_is_judged_in_a_moment() {
    let page = Page::of(format!("<p>{}</p>", "buy ".repeat(200_000)));
    insta::assert_snapshot!(judged(&page), @r"
    score 0.35
    adverts 0.00 links 0.00 template 0.00 repetition 1.00 uniformity 0.00 aggregator 0.00
    100% of the text repeats itself (-0.65)
    ");
}
