/** Calls `visit` for each line, without its end: LF, CRLF or CR. The text is not copied. */
export function eachLine(text: string, visit: (line: string) => void) {
  const end = text.includes('\n') ? '\n' : '\r'
  for (let from = 0; from < text.length; ) {
    const at = text.indexOf(end, from)
    const to = at === -1 ? text.length : at
    visit(text.slice(from, text[to - 1] === '\r' ? to - 1 : to))
    from = to + 1
  }
}
