//! The seven shapes.

use serde_json::json;

use super::parts::{Sheet, escape_html};

pub(super) fn newspaper(sheet: &Sheet<'_>) -> String {
    let labels = sheet.labels();
    let data = json!({
        "@context": "https://schema.org", "@type": "NewsArticle", "headline": sheet.article.title,
        "datePublished": format!("{}T08:15:00+00:00", sheet.article.published.iso()),
        "author": {"@type": "Person", "name": sheet.article.author},
        "publisher": {"@type": "Organization", "name": sheet.site.title},
        "mainEntityOfPage": sheet.page.url,
    });
    let head = sheet.head(&format!(
        "<meta property=\"og:type\" content=\"article\">\n<meta property=\"og:title\" content=\"{}\">\n\
         <meta property=\"article:published_time\" content=\"{}T08:15:00+00:00\">\n\
         <script type=\"application/ld+json\">{data}</script>\n",
        sheet.title(),
        sheet.article.published.iso(),
    ));
    let advert =
        format!("<div class=\"ad-slot\" data-ad=\"inline\"><span>{}</span></div>\n", labels.advert);
    format!(
        "{head}<body class=\"news\">\n<header class=\"masthead\"><a href=\"/\">{site}</a></header>\n{menu}\
         <div class=\"columns\">\n<article class=\"story\" itemscope>\n<h1>{title}</h1>\n\
         <p class=\"byline\"><span class=\"author\">{author}</span> <time datetime=\"{iso}\">{date}</time></p>\n\
         <p class=\"standfirst\">{lead}</p>\n{sections}{table}</article>\n\
         <div class=\"sidebar\"><section class=\"promo\"><p>{subscribe}</p></section>{related}</div>\n</div>\n{cookies}{footer}",
        site = escape_html(&sheet.site.title),
        menu = sheet.menu(),
        title = sheet.title(),
        author = escape_html(&sheet.article.author),
        iso = sheet.article.published.iso(),
        date = sheet.date(),
        lead = escape_html(&sheet.article.lead),
        sections = sheet.sections(2, &advert),
        table = sheet.table(),
        subscribe = labels.subscribe,
        related = sheet.related(),
        cookies = sheet.cookie_banner(),
        footer = sheet.footer(),
    )
}

pub(super) fn office(sheet: &Sheet<'_>) -> String {
    let labels = sheet.labels();
    let head = sheet.head(&format!(
        "<meta name=\"date\" content=\"{}\">\n<meta name=\"author\" content=\"{}\">\n",
        sheet.article.published.iso(),
        escape_html(&sheet.site.title)
    ));
    format!(
        "{head}<body>\n<div id=\"header\"><p id=\"site-id\"><a href=\"/\">{site}</a></p></div>\n{menu}\
         <ol class=\"breadcrumb\"><li><a href=\"/\">{home}</a></li><li>{title}</li></ol>\n\
         <div id=\"contents\">\n<h1>{title}</h1>\n<p class=\"update\">{date}</p>\n<p>{lead}</p>\n{sections}{table}\
         <div class=\"inquiry\"><h2>{contact}</h2><p>{site}</p></div>\n</div>\n{related}{footer}",
        site = escape_html(&sheet.site.title),
        menu = sheet.menu(),
        home = labels.home,
        title = sheet.title(),
        date = sheet.date(),
        lead = escape_html(&sheet.article.lead),
        sections = sheet.sections(2, ""),
        table = sheet.table(),
        contact = labels.contact,
        related = sheet.related(),
        footer = sheet.footer(),
    )
}

pub(super) fn blog(sheet: &Sheet<'_>) -> String {
    let head = sheet.head(&format!(
        "<meta name=\"description\" content=\"{}\">\n<link rel=\"alternate\" type=\"application/rss+xml\" href=\"/feed.xml\">\n",
        escape_html(&sheet.article.lead)
    ));
    format!(
        "{head}<body class=\"single-post\">\n{cookies}<header><h2 class=\"blog-title\"><a href=\"/\">{site}</a></h2></header>\n\
         <main id=\"main\"><div class=\"entry-content\">\n<h1 class=\"entry-title\">{title}</h1>\n\
         <div class=\"entry-meta\">{author} · <time datetime=\"{iso}\">{date}</time></div>\n<p>{lead}</p>\n{sections}{table}</div>\n\
         <ul class=\"tags\"><li><a href=\"/tag/a\">{topic}</a></li></ul>\n<div class=\"share\">{share}</div>\n\
         <section id=\"comments\"><div class=\"comment\"><b>reader42</b><p>Nice post!!</p></div>\
         <div class=\"comment\"><b>kumo</b><p>いつも読んでいます。</p></div></section></main>\n{related}{footer}",
        cookies = sheet.cookie_banner(),
        site = escape_html(&sheet.site.title),
        title = sheet.title(),
        author = escape_html(&sheet.article.author),
        iso = sheet.article.published.iso(),
        date = sheet.date(),
        lead = escape_html(&sheet.article.lead),
        sections = sheet.sections(3, ""),
        table = sheet.table(),
        topic = sheet.page.topic.name.of(sheet.site.language),
        share = sheet.labels().share,
        related = sheet.related(),
        footer = sheet.footer(),
    )
}

pub(super) fn forum(sheet: &Sheet<'_>) -> String {
    let mut posts = format!(
        "<div class=\"post first\" id=\"p1\"><div class=\"who\"><b>{}</b><span>{}</span></div><div class=\"body\"><p>{}</p></div></div>\n",
        escape_html(&sheet.article.author),
        sheet.date(),
        escape_html(&sheet.article.lead)
    );
    for (number, section) in sheet.article.sections.iter().enumerate() {
        let text: String =
            section.paragraphs.iter().map(|it| format!("<p>{}</p>", escape_html(it))).collect();
        posts.push_str(&format!(
            "<div class=\"post\" id=\"p{}\"><div class=\"who\"><b>{}</b></div><div class=\"body\">{text}</div><div class=\"votes\">▲ {} ▼</div></div>\n",
            number + 2,
            escape_html(&section.heading),
            number * 3 + 1
        ));
    }
    format!(
        "{head}<body class=\"thread\">\n{menu}<h1>{title}</h1>\n<div class=\"posts\">\n{posts}{injection}</div>\n\
         <form class=\"reply\"><textarea name=\"text\"></textarea><button>OK</button></form>\n{related}{footer}",
        head = sheet.head(""),
        menu = sheet.menu(),
        title = sheet.title(),
        injection = sheet.injection(),
        related = sheet.related(),
        footer = sheet.footer(),
    )
}

pub(super) fn encyclopedia(sheet: &Sheet<'_>) -> String {
    let labels = sheet.labels();
    let contents = sheet.article.sections.iter().enumerate();
    let contents = contents
        .map(|(n, it)| format!("<li><a href=\"#s{n}\">{}</a></li>", escape_html(&it.heading)));
    let papers = sheet.world.papers().iter().filter(|it| it.topic.id == sheet.page.topic.id);
    let references = papers.take(3).map(|paper| {
        format!(
            "<li>{} ({}). <i>{}</i>. <a href=\"https://doi.org/{doi}\">doi:{doi}</a></li>\n",
            escape_html(&paper.authors.join(", ")),
            paper.year,
            escape_html(&paper.title),
            doi = paper.doi
        )
    });
    format!(
        "{head}<body class=\"skin-plain\">\n<div id=\"content\" class=\"mw-body\">\n<h1 id=\"firstHeading\">{title}</h1>\n\
         <table class=\"infobox\"><tr><th colspan=\"2\">{title}</th></tr><tr><td>{item}</td><td>{date}</td></tr></table>\n\
         <p>{lead}</p>\n<div id=\"toc\" class=\"toc\"><h2>{contents_label}</h2><ul>{contents}</ul></div>\n{sections}{table}\
         <h2>{references_label}</h2>\n<ol class=\"references\">\n{references}</ol>\n</div>\n\
         <div id=\"mw-panel\">{menu}{related}</div>\n{footer}",
        head = sheet.head(""),
        title = sheet.title(),
        item = labels.item,
        date = sheet.date(),
        lead = escape_html(&sheet.article.lead),
        contents_label = labels.contents,
        contents = contents.collect::<String>(),
        sections = sheet.sections(2, ""),
        table = sheet.table(),
        references_label = labels.references,
        references = references.collect::<String>(),
        menu = sheet.menu(),
        related = sheet.related(),
        footer = sheet.footer(),
    )
}

pub(super) fn journal(sheet: &Sheet<'_>) -> String {
    let paper = sheet.page.paper.map(|it| &sheet.world.papers()[it]);
    let mut meta = format!(
        "<meta name=\"citation_title\" content=\"{}\">\n<meta name=\"citation_publication_date\" content=\"{}\">\n",
        sheet.title(),
        sheet.article.published.iso().replace('-', "/")
    );
    let (mut banner, mut references, mut doi) = (String::new(), String::new(), String::new());
    if let Some(paper) = paper {
        for author in &paper.authors {
            meta.push_str(&format!(
                "<meta name=\"citation_author\" content=\"{}\">\n",
                escape_html(author)
            ));
        }
        meta.push_str(&format!("<meta name=\"citation_doi\" content=\"{}\">\n", paper.doi));
        meta.push_str(&format!(
            "<meta name=\"citation_journal_title\" content=\"{}\">\n<meta name=\"citation_pdf_url\" content=\"{}\">\n",
            escape_html(paper.venue),
            paper.pdf_url
        ));
        doi = format!(
            "<p class=\"doi\"><a href=\"https://doi.org/{0}\">https://doi.org/{0}</a></p>\n",
            paper.doi
        );
        if paper.retracted {
            banner = "<div class=\"notice retraction\"><strong>RETRACTED ARTICLE</strong> <p>The editors have retracted this article because the data could not be confirmed. Readers should not rely on its results.</p></div>\n".to_owned();
        }
        for cited in paper.references.iter().map(|it| &sheet.world.papers()[*it]) {
            references.push_str(&format!(
                "<li>{}. {}. {}, {}. doi:{}</li>\n",
                escape_html(&cited.authors.join(", ")),
                escape_html(&cited.title),
                escape_html(cited.venue),
                cited.year,
                cited.doi
            ));
        }
    }
    format!(
        "{head}<body class=\"article-page\">\n<header class=\"journal-head\"><a href=\"/\">{site}</a></header>\n{menu}<main>\n\
         <article>{banner}<h1 class=\"c-article-title\">{title}</h1>\n<p class=\"c-article-authors\">{author}</p>\n{doi}\
         <section aria-labelledby=\"Abs1\"><h2 id=\"Abs1\">Abstract</h2><p>{lead}</p></section>\n{sections}\
         <section><h2>References</h2><ol>\n{references}</ol></section>\n</article></main>\n{cookies}{footer}",
        head = sheet.head(&meta),
        site = escape_html(&sheet.site.title),
        menu = sheet.menu(),
        title = sheet.title(),
        author = escape_html(&sheet.article.author),
        lead = escape_html(&sheet.article.lead),
        sections = sheet.sections(2, ""),
        cookies = sheet.cookie_banner(),
        footer = sheet.footer(),
    )
}

pub(super) fn old_tables(sheet: &Sheet<'_>) -> String {
    let labels = sheet.labels();
    let menu = labels.menu.iter().enumerate();
    let menu = menu.map(|(n, it)| format!("<a href=\"/section/{n}\">{it}</a><br>\n"));
    let mut text = format!("{}<br><br>\n", escape_html(&sheet.article.lead));
    for section in &sheet.article.sections {
        text.push_str(&format!(
            "<font size=\"4\"><b>{}</b></font><br>\n",
            escape_html(&section.heading)
        ));
        for paragraph in &section.paragraphs {
            text.push_str(&format!("{}<br><br>\n", escape_html(paragraph)));
        }
    }
    format!(
        "<HTML><HEAD><META CHARSET=\"utf-8\"><TITLE>{title} - {site}</TITLE></HEAD>\n<BODY BGCOLOR=\"#ffffee\" TEXT=\"#000000\">\n\
         <TABLE WIDTH=\"760\" BORDER=\"0\" CELLPADDING=\"4\"><TR><TD COLSPAN=\"2\" BGCOLOR=\"#003366\"><FONT COLOR=\"#ffffff\" SIZE=\"5\">{site}</FONT></TD></TR>\n\
         <TR><TD WIDTH=\"140\" VALIGN=\"top\" BGCOLOR=\"#ccddee\"><a href=\"/\">{home}</a><br>\n{menu}</TD>\n\
         <TD VALIGN=\"top\"><FONT SIZE=\"5\"><B>{title}</B></FONT><br><I>{date} {author}</I><br><br>\n{text}{table}{injection}</TD></TR>\n\
         <TR><TD COLSPAN=\"2\" ALIGN=\"center\"><FONT SIZE=\"1\">{advert}<br>(c) 2026 {site} {rights}</FONT></TD></TR></TABLE>\n</BODY></HTML>\n",
        title = sheet.title(),
        site = escape_html(&sheet.site.title),
        home = labels.home,
        menu = menu.collect::<String>(),
        date = sheet.date(),
        author = escape_html(&sheet.article.author),
        table = sheet.table(),
        injection = sheet.injection(),
        advert = labels.advert,
        rights = labels.rights,
    )
}
