//! Undoes the packing of streams: Flate, LZW, ASCII85, hexadecimal, run lengths, and predictors.
//!
//! A stream that breaks off gives what came before the break. Pictures (JPEG and its like) are not
//! unpacked: they hold no text that can be read here.

use std::io::Read;

use super::lexer::{from_hex, is_space};
use super::object::{Dict, Object};

/// Unpacks `bytes` by one filter into at most `limit` bytes; none for filters of pictures.
pub(crate) fn decode(
    name: &[u8],
    bytes: &[u8],
    parameters: Option<&Dict>,
    limit: usize,
) -> Option<Vec<u8>> {
    let out = match name {
        b"FlateDecode" | b"Fl" => predicted(inflate(bytes, limit), parameters),
        b"LZWDecode" | b"LZW" => {
            let early = parameters.and_then(|it| it.get("EarlyChange")).and_then(Object::count);
            predicted(lzw(bytes, early != Some(0), limit), parameters)
        }
        b"ASCIIHexDecode" | b"AHx" => {
            from_hex(bytes.split(|it| *it == b'>').next().unwrap_or_default())
        }
        b"ASCII85Decode" | b"A85" => ascii85(bytes, limit),
        b"RunLengthDecode" | b"RL" => run_lengths(bytes, limit),
        b"Crypt" => bytes.to_vec(),
        _ => return None,
    };
    Some(out)
}

fn inflate(bytes: &[u8], limit: usize) -> Vec<u8> {
    let mut out = Vec::new();
    // What was unpacked before an error is kept: most damaged streams break near their end.
    let _ = flate2::read::ZlibDecoder::new(bytes).take(limit as u64).read_to_end(&mut out);
    if out.is_empty() && bytes.len() > 2 {
        // A damaged head: the packed bytes behind it are often whole.
        let _ =
            flate2::read::DeflateDecoder::new(&bytes[2..]).take(limit as u64).read_to_end(&mut out);
    }
    out
}

fn lzw(bytes: &[u8], early: bool, limit: usize) -> Vec<u8> {
    const CLEAR: usize = 256;
    const END: usize = 257;
    let mut out: Vec<u8> = Vec::new();
    // Each code above 257 is a run of bytes already written: where it starts and how long it is.
    let mut table: Vec<(usize, usize)> = Vec::new();
    let mut width = 9;
    let mut previous: Option<(usize, usize)> = None;
    let (mut buffer, mut bits) = (0_u32, 0);
    let mut input = bytes.iter();
    loop {
        while bits < width {
            let Some(byte) = input.next() else { return out };
            buffer = buffer << 8 | u32::from(*byte);
            bits += 8;
        }
        let code = (buffer >> (bits - width)) as usize & ((1 << width) - 1);
        bits -= width;
        buffer &= (1 << bits) - 1;
        match code {
            CLEAR => {
                table.clear();
                width = 9;
                previous = None;
                continue;
            }
            END => return out,
            _ => {}
        }
        let start = out.len();
        if code < CLEAR {
            out.push(code as u8);
        } else if let Some(&(from, length)) = table.get(code - 258) {
            out.extend_from_within(from..from + length);
        } else if let Some((from, length)) = previous {
            out.extend_from_within(from..from + length);
            out.push(out[from]);
        } else {
            return out;
        }
        if let Some((from, length)) = previous
            && table.len() < 4096 - 258
        {
            // The run before and the first byte of this one are adjacent in the output.
            table.push((from, length + 1));
        }
        previous = Some((start, out.len() - start));
        let next = table.len() + 258 + usize::from(early);
        width = match next {
            0..512 => 9,
            512..1024 => 10,
            1024..2048 => 11,
            _ => 12,
        };
        if out.len() >= limit {
            out.truncate(limit);
            return out;
        }
    }
}

fn ascii85(bytes: &[u8], limit: usize) -> Vec<u8> {
    let mut out = Vec::new();
    let mut group = [0_u8; 5];
    let mut filled = 0;
    let bytes = bytes.strip_prefix(b"<~").unwrap_or(bytes);
    for byte in bytes {
        match byte {
            b'z' if filled == 0 => out.extend([0; 4]),
            b'!'..=b'u' => {
                group[filled] = byte - b'!';
                filled += 1;
                if filled == 5 {
                    out.extend(base85(group));
                    filled = 0;
                }
            }
            b'~' => break,
            byte if is_space(*byte) => {}
            _ => break,
        }
        if out.len() >= limit {
            out.truncate(limit);
            return out;
        }
    }
    if filled > 1 {
        group[filled..].fill(84);
        out.extend(&base85(group)[..filled - 1]);
    }
    out
}

fn base85(group: [u8; 5]) -> [u8; 4] {
    let value =
        group.iter().fold(0_u32, |sum, it| sum.wrapping_mul(85).wrapping_add(u32::from(*it)));
    value.to_be_bytes()
}

fn run_lengths(bytes: &[u8], limit: usize) -> Vec<u8> {
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(&length) = bytes.get(at) {
        let length = usize::from(length);
        at += 1;
        match length {
            0..128 => {
                let end = (at + length + 1).min(bytes.len());
                out.extend(&bytes[at..end]);
                at = end;
            }
            128 => break,
            _ => {
                let Some(byte) = bytes.get(at) else { break };
                out.extend(std::iter::repeat_n(*byte, 257 - length));
                at += 1;
            }
        }
        if out.len() >= limit {
            out.truncate(limit);
            break;
        }
    }
    out
}

/// Undoes the predictor of PNG (10 and above) or TIFF (2).
fn predicted(bytes: Vec<u8>, parameters: Option<&Dict>) -> Vec<u8> {
    let number = |key: &str, default: usize| {
        parameters.and_then(|it| it.get(key)).and_then(Object::count).unwrap_or(default)
    };
    let predictor = number("Predictor", 1);
    if predictor < 2 {
        return bytes;
    }
    let colours = number("Colors", 1).clamp(1, 32);
    let bits = number("BitsPerComponent", 8).clamp(1, 16);
    let columns = number("Columns", 1).clamp(1, 1 << 24);
    let step = (colours * bits).div_ceil(8);
    let row = (columns * colours * bits).div_ceil(8);
    if predictor == 2 { tiff(bytes, step, row, bits) } else { png(&bytes, step, row) }
}

fn tiff(mut bytes: Vec<u8>, step: usize, row: usize, bits: usize) -> Vec<u8> {
    // Other depths occur in pictures only.
    if bits == 8 {
        for line in bytes.chunks_mut(row) {
            for i in step..line.len() {
                line[i] = line[i].wrapping_add(line[i - step]);
            }
        }
    }
    bytes
}

fn png(bytes: &[u8], step: usize, row: usize) -> Vec<u8> {
    let mut out: Vec<u8> = Vec::with_capacity(bytes.len());
    for line in bytes.chunks(row + 1) {
        let Some((&kind, line)) = line.split_first() else { break };
        let start = out.len();
        for (i, byte) in line.iter().enumerate() {
            let left = if i >= step { out[start + i - step] } else { 0 };
            let above = |back: usize| match (start + i).checked_sub(row + back) {
                Some(at) if start >= row && i >= back => out[at],
                _ => 0,
            };
            let guess = match kind {
                1 => left,
                2 => above(0),
                3 => ((u16::from(left) + u16::from(above(0))) / 2) as u8,
                4 => paeth(left, above(0), above(step)),
                _ => 0,
            };
            out.push(byte.wrapping_add(guess));
        }
    }
    out
}

fn paeth(left: u8, above: u8, corner: u8) -> u8 {
    let guess = i16::from(left) + i16::from(above) - i16::from(corner);
    let distance = |it: u8| (guess - i16::from(it)).abs();
    if distance(left) <= distance(above) && distance(left) <= distance(corner) {
        left
    } else if distance(above) <= distance(corner) {
        above
    } else {
        corner
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(name: &[u8], bytes: &[u8]) -> String {
        String::from_utf8(decode(name, bytes, None, 1000).unwrap()).unwrap()
    }

    #[test]
    fn every_text_filter_gives_back_what_was_packed() {
        assert_eq!(text(b"ASCIIHexDecode", b"48 656C6C 6F>00"), "Hello");
        assert_eq!(text(b"ASCII85Decode", b"87cURD]i,\"Ebo80~>"), "Hello World!");
        assert_eq!(text(b"RunLengthDecode", &[1, b'a', b'b', 254, b'c', 128, 7]), "abccc");
        // The example of the specification.
        let packed = [0x80, 0x0B, 0x60, 0x50, 0x22, 0x0C, 0x0C, 0x85, 0x01];
        assert_eq!(text(b"LZWDecode", &packed), "-----A---B");
    }

    #[test]
    fn pictures_are_not_unpacked() {
        assert_eq!(decode(b"DCTDecode", b"x", None, 10), None);
    }

    #[test]
    fn a_bomb_stops_at_the_limit() {
        let mut packed = Vec::new();
        flate2::read::ZlibEncoder::new(vec![0; 1 << 20].as_slice(), flate2::Compression::best())
            .read_to_end(&mut packed)
            .unwrap();
        assert_eq!(decode(b"FlateDecode", &packed, None, 5000).unwrap().len(), 5000);
    }
}
