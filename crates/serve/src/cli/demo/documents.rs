//! The documents of the demonstration. All of them are invented: `README.md` in this folder says so.

use std::io;
use std::path::Path;

const DOCUMENTS: &[(&str, &[u8])] = &[
    ("brightdesk-newsroom-2024.md", include_bytes!("library/brightdesk-newsroom-2024.md")),
    ("calder-mutual-figures-2022.json", include_bytes!("library/calder-mutual-figures-2022.json")),
    ("call-centre-trial-2015.md", include_bytes!("library/call-centre-trial-2015.md")),
    ("data-entry-trial-2023.md", include_bytes!("library/data-entry-trial-2023.md")),
    ("doubling-paper-2019.md", include_bytes!("library/doubling-paper-2019.md")),
    ("employers-federation-2024.html", include_bytes!("library/employers-federation-2024.html")),
    ("faq-home-working.html", include_bytes!("library/faq-home-working.html")),
    ("harbour-ledger-2023.html", include_bytes!("library/harbour-ledger-2023.html")),
    ("home-miracle.html", include_bytes!("library/home-miracle.html")),
    ("hybrid-trial-2023.md", include_bytes!("library/hybrid-trial-2023.md")),
    (
        "institute-for-service-work-2021.md",
        include_bytes!("library/institute-for-service-work-2021.md"),
    ),
    ("interview-with-a-manager.md", include_bytes!("library/interview-with-a-manager.md")),
    ("ja-denwa-madoguchi-2022.md", include_bytes!("library/ja-denwa-madoguchi-2022.md")),
    ("ja-keieisha-renmei-2024.md", include_bytes!("library/ja-keieisha-renmei-2024.md")),
    ("ja-kotonoha-daigaku-2023.md", include_bytes!("library/ja-kotonoha-daigaku-2023.md")),
    ("ja-minato-shimbun-2023.html", include_bytes!("library/ja-minato-shimbun-2023.html")),
    ("ja-seisansei-kenkyujo-2020.md", include_bytes!("library/ja-seisansei-kenkyujo-2020.md")),
    ("ja-telework-hakusho-2021.md", include_bytes!("library/ja-telework-hakusho-2021.md")),
    ("ja-tsukinoha-shi-2022.txt", include_bytes!("library/ja-tsukinoha-shi-2022.txt")),
    ("ja-zaitaku-blog-2022.md", include_bytes!("library/ja-zaitaku-blog-2022.md")),
    ("merrow-bank-call-centre-2023.md", include_bytes!("library/merrow-bank-call-centre-2023.md")),
    ("personnel-panel-2022.md", include_bytes!("library/personnel-panel-2022.md")),
    ("pressline-brightdesk-2024.md", include_bytes!("library/pressline-brightdesk-2024.md")),
    ("retraction-notice-2021.md", include_bytes!("library/retraction-notice-2021.md")),
    ("review-of-42-studies.md", include_bytes!("library/review-of-42-studies.md")),
    ("software-follow-up-2022.md", include_bytes!("library/software-follow-up-2022.md")),
    ("sourdough-at-altitude.md", include_bytes!("library/sourdough-at-altitude.md")),
    ("statistics-office-2024.html", include_bytes!("library/statistics-office-2024.html")),
    ("tech-courier-brightdesk-2024.md", include_bytes!("library/tech-courier-brightdesk-2024.md")),
    ("telecommuting-survey-2011.txt", include_bytes!("library/telecommuting-survey-2011.txt")),
    (
        "telephone-workers-union-2022.txt",
        include_bytes!("library/telephone-workers-union-2022.txt"),
    ),
    ("telework-handbook-2009.md", include_bytes!("library/telework-handbook-2009.md")),
    ("top-ten-facts.html", include_bytes!("library/top-ten-facts.html")),
];

/// Writes the library into a folder.
pub(super) fn write(folder: &Path) -> io::Result<()> {
    std::fs::create_dir_all(folder)?;
    DOCUMENTS.iter().try_for_each(|(name, bytes)| std::fs::write(folder.join(name), bytes))
}
