/** Calls `visit` for each line, without its end: LF, CRLF or CR, also mixed. The text is not copied. */
export function eachLine(text: string, visit: (line: string) => void) {
  const nextOf = (end: string, from: number) => {
    const at = text.indexOf(end, from)
    return at === -1 ? text.length : at
  }
  let [lf, cr] = [nextOf('\n', 0), nextOf('\r', 0)]
  for (let from = 0; from < text.length; ) {
    const to = Math.min(lf, cr)
    visit(text.slice(from, to))
    from = cr + 1 === lf ? lf + 1 : to + 1
    if (lf < from) lf = nextOf('\n', from)
    if (cr < from) cr = nextOf('\r', from)
  }
}
