//! Pictures of a page to what someone who reads pictures can open.
//!
//! JPEG, JPEG 2000 and fax pictures are whole files in a PDF; others are rows of pixels, which are
//! handed out where their colours are plain (grey, RGB, CMYK). Palettes and the rest are left out.

use crate::ocr::{ImageFormat, Ocr, PageImage};

use super::file::File;
use super::object::{Dict, Object, Stream};

/// The text of the pictures of one page, one after the other; none if there is none.
pub(crate) fn text(
    file: &File<'_>,
    pictures: &[Stream],
    page: u32,
    ocr: &dyn Ocr,
) -> Option<String> {
    let texts = pictures.iter().filter_map(|it| read(file, it, page, ocr));
    let text = texts.filter(|it| !it.trim().is_empty()).collect::<Vec<_>>().join("\n\n");
    (!text.is_empty()).then_some(text)
}

fn read(file: &File<'_>, picture: &Stream, page: u32, ocr: &dyn Ocr) -> Option<String> {
    let number = |key: &str| file.get(&picture.dict, key)?.number();
    let count = |key: &str| number(key).map(|it| it as u32);
    let (bytes, packing) = file.unpack_picture(picture)?;
    let format = match packing {
        Some((name, parameters)) => packed(&name, parameters.as_ref())?,
        None => ImageFormat::Pixels {
            bits: if is_stencil(file, picture) { 1 } else { number("BitsPerComponent")? as u8 },
            channels: channels(file, picture)?,
        },
    };
    let image =
        PageImage { page, width: count("Width")?, height: count("Height")?, format, bytes: &bytes };
    ocr.read(&image)
}

fn packed(name: &[u8], parameters: Option<&Dict>) -> Option<ImageFormat> {
    let of = |key: &str| parameters.and_then(|it| it.get(key));
    Some(match name {
        b"DCTDecode" | b"DCT" => ImageFormat::Jpeg,
        b"JPXDecode" => ImageFormat::Jpeg2000,
        b"CCITTFaxDecode" | b"CCF" => ImageFormat::Fax {
            k: of("K").and_then(Object::number).unwrap_or(0.0) as i32,
            black_is_1: of("BlackIs1") == Some(&Object::Bool(true)),
        },
        _ => return None,
    })
}

fn is_stencil(file: &File<'_>, picture: &Stream) -> bool {
    file.get(&picture.dict, "ImageMask").is_some_and(|it| *it == Object::Bool(true))
}

fn channels(file: &File<'_>, picture: &Stream) -> Option<u8> {
    if is_stencil(file, picture) {
        return Some(1);
    }
    let space = file.get(&picture.dict, "ColorSpace")?;
    match &*space {
        Object::Name(name) => match name.as_slice() {
            b"DeviceGray" | b"G" => Some(1),
            b"DeviceRGB" | b"RGB" => Some(3),
            b"DeviceCMYK" | b"CMYK" => Some(4),
            _ => None,
        },
        Object::Array(parts) => match (&*file.resolve(parts.first()?), parts.get(1)) {
            (Object::Name(name), _) if name == b"CalGray" => Some(1),
            (Object::Name(name), _) if name == b"CalRGB" => Some(3),
            (Object::Name(name), Some(profile)) if name == b"ICCBased" => {
                let profile = file.resolve(profile);
                file.get(profile.dict()?, "N")?.number().map(|it| it as u8)
            }
            _ => None,
        },
        _ => None,
    }
}
