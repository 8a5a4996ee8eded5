const MARK = Buffer.from([0xef, 0xbb, 0xbf])

/** Text without the byte order mark that editors and servers on Windows begin it with. JSON may be read without it
 *  (RFC 8259, 8.1), and who reads it next need not bear it. */
export function withoutMark(text: Buffer): Buffer {
  return text.subarray(0, MARK.length).equals(MARK) ? text.subarray(MARK.length) : text
}
