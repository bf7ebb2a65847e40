package inflate

import "encoding/binary"

const wordSize = 8

// decode decompresses codes until room is full, the block ends, or the input in the buffer
// is used up but for some bytes. Eight bytes follow the codes of a member, so that as many
// can be looked at together wherever a code begins.
func (r *Reader) decode() error {
	in, err := r.in.Peek(max(r.in.Buffered(), wordSize))
	if err == nil {
		used, err := r.codes(in, len(r.room)-longest-slack)
		r.in.Discard(used)
		return err
	}
	// The member is cut off. Zeros follow, and a code that uses one of them is not there.
	var padded [2 * wordSize]byte
	n, to := copy(padded[:], in), r.to
	used, failed := r.codes(padded[:], to+1)
	if used > n {
		r.to, failed = to, noEOF(err)
	}
	r.in.Discard(min(used, n))
	return failed
}

// codes decompresses codes until room is full up to a limit, the block ends, or fewer
// than eight bytes of the input are left. It returns how many it has used.
func (r *Reader) codes(in []byte, limit int) (used int, err error) {
	litlen, dist, room := r.litlen, r.dist, r.room
	bits, count, to := r.bits, r.count, r.to
	for to < limit && used+wordSize <= len(in) {
		// At least 56 bits are enough for four literals of the first table, or a match.
		bits |= binary.LittleEndian.Uint64(in[used:]) << (count & 63)
		used += int(63-count) >> 3
		count |= 56
		e := litlen.first[bits%(1<<litlenBits)]
		if e&literal != 0 {
			for left := 4; left > 0 && e&literal != 0; left-- {
				room[to] = uint8(e >> baseShift)
				to++
				bits >>= e & bitsMask
				count -= uint(e & bitsMask)
				e = litlen.first[bits%(1<<litlenBits)]
			}
			continue
		}
		if e&special != 0 {
			if e = litlen.find(e, bits>>litlenBits); e&literal != 0 {
				room[to] = uint8(e >> baseShift)
				to++
				bits >>= e & bitsMask
				count -= uint(e & bitsMask)
				continue
			}
			if e&special != 0 {
				if e&endOfBlock == 0 {
					err = ErrCorrupt
					break
				}
				bits >>= e & bitsMask
				count -= uint(e & bitsMask)
				r.block = noBlock
				break
			}
		}
		length := valueOf(e, bits)
		bits >>= e & bitsMask
		count -= uint(e & bitsMask)
		if e = dist.first[bits%(1<<distBits)]; e&special != 0 {
			e = dist.find(e, bits>>distBits)
		}
		distance := valueOf(e, bits)
		bits >>= e & bitsMask
		count -= uint(e & bitsMask)
		if e&special != 0 || distance > to {
			err = ErrCorrupt
			break
		}
		copyMatch(room, to, distance, length)
		to += length
	}
	used -= int(count / 8)
	count %= 8
	r.bits, r.count, r.to = bits&(1<<count-1), count, to
	return used, err
}

// copyMatch copies length bytes from a distance before to. Those that it copies may be
// copied again. It writes up to 15 bytes more.
func copyMatch(room []byte, to, distance, length int) {
	end := to + length
	if distance < wordSize {
		for ; to < end; to++ {
			room[to] = room[to-distance]
		}
		return
	}
	for {
		from, into := room[to-distance:], room[to:]
		binary.LittleEndian.PutUint64(into, binary.LittleEndian.Uint64(from))
		binary.LittleEndian.PutUint64(into[wordSize:], binary.LittleEndian.Uint64(from[wordSize:]))
		if to += 2 * wordSize; to >= end {
			return
		}
	}
}
