//! What goes through the two pipes of a child: frames with their lengths before them.

use std::io::{self, Read, Write};

/// More than any document becomes; what is longer is not believed.
const MAX_FRAME: u64 = 512 << 20;

pub(crate) fn write(to: &mut impl Write, frame: &[u8]) -> io::Result<()> {
    to.write_all(&(frame.len() as u64).to_le_bytes())?;
    to.write_all(frame)
}

/// The next frame; `None` where the other side has closed its end.
pub(crate) fn read(from: &mut impl Read) -> io::Result<Option<Vec<u8>>> {
    let mut length = [0; 8];
    let mut filled = 0;
    while filled < length.len() {
        match from.read(&mut length[filled..]) {
            Ok(0) if filled == 0 => return Ok(None),
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(n) => filled += n,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    let length = u64::from_le_bytes(length);
    if length > MAX_FRAME {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "a frame is too long"));
    }
    let mut frame = Vec::new();
    if from.take(length).read_to_end(&mut frame)? as u64 != length {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(Some(frame))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_come_back_in_their_order_and_then_none() {
        let mut pipe = Vec::new();
        write(&mut pipe, b"one").unwrap();
        write(&mut pipe, b"").unwrap();
        let mut pipe = pipe.as_slice();
        assert_eq!(read(&mut pipe).unwrap().unwrap(), b"one");
        assert_eq!(read(&mut pipe).unwrap().unwrap(), b"");
        assert_eq!(read(&mut pipe).unwrap(), None);
    }

    #[test]
    fn a_frame_that_breaks_off_or_claims_too_much_is_an_error() {
        let mut whole = Vec::new();
        write(&mut whole, b"one").unwrap();
        for cut in [3, 8, 10] {
            let error = read(&mut &whole[..cut]).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof, "{cut}");
        }
        let claim = u64::MAX.to_le_bytes();
        assert_eq!(read(&mut claim.as_slice()).unwrap_err().kind(), io::ErrorKind::InvalidData);
    }
}
