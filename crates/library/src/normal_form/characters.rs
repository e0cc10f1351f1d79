//! Single characters: which mean the same, and which are invisible.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::canonical_combining_class;

/// Rounds of folding until a cluster stays as it is; two are enough for all of Unicode today.
const ROUNDS: usize = 4;

/// Folds a character with its marks: NFKC, case, and one sign for each family of signs.
pub(super) fn fold(cluster: &[char], mut sink: impl FnMut(char)) {
    if let [ascii @ '\0'..='\x7f'] = cluster {
        return sink(represent(ascii.to_ascii_lowercase()));
    }
    if let [c] = cluster
        && is_settled(*c)
    {
        return sink(*c);
    }
    let mut folded: Vec<char> = cluster.to_vec();
    for _ in 0..ROUNDS {
        let next = folded.iter().copied().nfkc().flat_map(lower).map(represent).nfkc().collect();
        if next == folded {
            break;
        }
        folded = next;
    }
    folded.into_iter().for_each(&mut sink);
}

/// Most of Japanese text: characters that every step would hand back. Narrower than the scripts of
/// `text::script`: ゟ and ヿ, for one, are taken apart.
const fn is_settled(c: char) -> bool {
    matches!(c, '\u{3041}'..='\u{3096}' | '\u{30a1}'..='\u{30fa}' | '\u{4e00}'..='\u{9fff}' | 'ー' | '、' | '。' | '「' | '」')
}

/// Whether a character melts into the one before it.
pub(super) fn is_mark(c: char) -> bool {
    matches!(c, '\u{ff9e}' | '\u{ff9f}') || (!c.is_ascii() && canonical_combining_class(c) != 0)
}

/// Invisible characters, which would hide a word from the search.
pub(super) fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}'
        | '\u{feff}' | '\u{e0100}'..='\u{e01ef}')
}

fn lower(c: char) -> impl Iterator<Item = char> {
    let (first, second) = match c {
        'ß' | 'ẞ' => ('s', Some('s')),
        'ς' => ('σ', None),
        _ => {
            let mut lower = c.to_lowercase();
            (lower.next().unwrap_or(c), lower.next())
        }
    };
    std::iter::once(first).chain(second)
}

/// One sign for each family: hyphens, middle dots, brackets, slashes, quotes, spaces.
fn represent(c: char) -> char {
    match c {
        '\u{ad}' | '‐'..='―' | '−' | '⁃' | '˗' | '﹘' | '﹣' | '－' | '➖' => '-',
        '･' | '·' | '•' | '‧' | '∙' | '⋅' | '●' | '᛫' => '・',
        '〔' | '【' | '〖' | '❲' | '⟦' => '[',
        '〕' | '】' | '〗' | '❳' | '⟧' => ']',
        '〈' | '《' | '⟨' | '‹' | '«' => '<',
        '〉' | '》' | '⟩' | '›' | '»' => '>',
        '『' => '「',
        '』' => '」',
        '“' | '”' | '„' | '‟' | '″' | '〝' | '〞' | '〟' => '"',
        '‘' | '’' | '‚' | '‛' | '′' => '\'',
        '⁄' | '∕' | '╱' | '⧸' => '/',
        '〜' | '∼' | '〰' => '~',
        c if c.is_whitespace() => ' ',
        c => c,
    }
}
