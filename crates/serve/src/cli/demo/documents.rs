//! The documents of the demonstration. All of them are invented: `README.md` in this folder says so.

use std::io;
use std::path::Path;

const DOCUMENTS: &[(&str, &[u8])] = &[
    ("brackwater-county-2020.md", include_bytes!("library/brackwater-county-2020.md")),
    ("calder-schools-2023.json", include_bytes!("library/calder-schools-2023.json")),
    ("faq-school-office.html", include_bytes!("library/faq-school-office.html")),
    ("interview-head-teacher.md", include_bytes!("library/interview-head-teacher.md")),
    ("ja-bukatsu-renmei-2022.md", include_bytes!("library/ja-bukatsu-renmei-2022.md")),
    ("ja-chugakusei-nikki-2022.md", include_bytes!("library/ja-chugakusei-nikki-2022.md")),
    ("ja-kotonoha-daigaku-2020.md", include_bytes!("library/ja-kotonoha-daigaku-2020.md")),
    ("ja-kyoiku-kenkyujo-2021.md", include_bytes!("library/ja-kyoiku-kenkyujo-2021.md")),
    ("ja-minato-shimbun-2023.html", include_bytes!("library/ja-minato-shimbun-2023.html")),
    ("ja-suimin-hakusho-2023.md", include_bytes!("library/ja-suimin-hakusho-2023.md")),
    ("ja-tsukinoha-shi-2022.txt", include_bytes!("library/ja-tsukinoha-shi-2022.txt")),
    (
        "morning-courier-restwell-2024.md",
        include_bytes!("library/morning-courier-restwell-2024.md"),
    ),
    ("ninety-minutes-2016.md", include_bytes!("library/ninety-minutes-2016.md")),
    ("northmoor-lottery-2019.md", include_bytes!("library/northmoor-lottery-2019.md")),
    ("parents-league-2021.html", include_bytes!("library/parents-league-2021.html")),
    ("pressline-restwell-2024.md", include_bytes!("library/pressline-restwell-2024.md")),
    ("restwell-newsroom-2024.md", include_bytes!("library/restwell-newsroom-2024.md")),
    ("retraction-notice-2018.md", include_bytes!("library/retraction-notice-2018.md")),
    ("review-of-31-studies-2022.md", include_bytes!("library/review-of-31-studies-2022.md")),
    ("school-handbook-1974.md", include_bytes!("library/school-handbook-1974.md")),
    ("sleep-laboratory-2021.md", include_bytes!("library/sleep-laboratory-2021.md")),
    ("sleep-miracle.html", include_bytes!("library/sleep-miracle.html")),
    ("sourdough-at-altitude.md", include_bytes!("library/sourdough-at-altitude.md")),
    ("statistics-office-2023.html", include_bytes!("library/statistics-office-2023.html")),
    ("teachers-union-2022.txt", include_bytes!("library/teachers-union-2022.txt")),
    ("top-ten-sleep-facts.html", include_bytes!("library/top-ten-sleep-facts.html")),
    ("two-years-later-2024.md", include_bytes!("library/two-years-later-2024.md")),
];

/// Writes the library into a folder.
pub(super) fn write(folder: &Path) -> io::Result<()> {
    std::fs::create_dir_all(folder)?;
    DOCUMENTS.iter().try_for_each(|(name, bytes)| std::fs::write(folder.join(name), bytes))
}
