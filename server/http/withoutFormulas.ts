/**
 * Prevents formula injection: spreadsheets read a cell that begins like this as a formula, even after spaces
 * or quotes, and many begin a new cell at a semicolon. The `escape_formulas` of csv-stringify covers only the first
 * character of a cell. East Asian keyboards type the wide signs.
 */
export function withoutFormulas(text: string): string {
  return text.replace(/(^|;)(["'\s]*)(?=[=+\-@＝＋－＠\t\r])/g, "$1'$2")
}
