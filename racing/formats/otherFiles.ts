/** How files that are not recordings in a text format begin, what they are, and what to use instead. */
const others: readonly [sign: RegExp, sentence: string][] = [
  [/^\s*$/, 'The file is empty. Export the recording again.'],
  [
    /^[\s\S]{8}\.FIT/,
    'This is a FIT file of a watch or bike computer. Export the activity as GPX or TCX.',
  ],
  [
    /^PK\p{Cc}{2}[\s\S]*(?:xl\/|docProps\/|\[Content_Types\])/u,
    'This is an Excel workbook. Save the sheet as CSV, with times that show seconds and their fractions.',
  ],
  [/^PK\p{Cc}{2}[\s\S]*\.kml/iu, 'This is a KMZ file. Unzip it, and use the KML file in it.'],
  [/^PK\p{Cc}{2}/u, 'This is a ZIP file. Unzip it, and use the recording in it.'],
  [/^(?:Rar!|7z¼¯)/, 'This is an archive. Unpack it, and use the recording in it.'],
  [/^\p{Cc}[‹\u008b]/u, 'This gzip file cannot be unpacked. Use the recording in it.'],
  [/^%PDF/, 'This is a PDF document. Export the recording as VBO, GPX or CSV.'],
  [
    /^.?PNG\r\n|^[\s\S]{6}(?:JFIF|Exif)|^(?:ÿØÿ|GIF8|BM.{4}\p{Cc}{4}|II\*\p{Cc}|MM\p{Cc}\*)|^RIFF[\s\S]{4}WEBP|^[\s\S]{4}ftyp(?:heic|mif1|avif)/u,
    'This is a picture. Export the recording as VBO, GPX or CSV.',
  ],
  [
    /^[\s\S]{4}ftyp|^RIFF|^\p{Cc}Eß£|^ID3/u,
    'This is a video or sound file. Export the positions of the recording as VBO, GPX or CSV.',
  ],
  [/^<h[A-Za-z]{3}/, 'This is an XRK file of AiM. Open it in Race Studio and export it as CSV.'],
  [/^x[\p{Cc}œÚ]/u, 'This is a compressed file, perhaps an XRZ file of AiM. Export it as CSV.'],
  [/^@\p{Cc}{3}/u, 'This is a log of MoTeC. Open it in i2 and export it as CSV.'],
  [/^ÐÏ\p{Cc}à/u, 'This is an old Excel or Word file. Save the sheet as CSV.'],
  [/^SQLite format 3/, 'This is a database. Export the recording as VBO, GPX or CSV from its app.'],
  [
    /^µb[\s\S]*\p{Cc}/u,
    'This is a binary log of a u-blox receiver. Convert it to NMEA or CSV, such as with u-center.',
  ],
  [
    /^\s*(?:<\?xml[^>]*>\s*)?<(?:!doctype html|html|head|body)\b/i,
    'This is a web page instead of a recording, perhaps because of a login. Download the recording again.',
  ],
  [/^\{\\rtf/, 'This is a text document (RTF). Save it as plain text.'],
  [/^\s*(?:\{|\[\s*[[{"\d-])/, 'This is a JSON file. Export the recording as VBO, GPX or CSV.'],
]

/** A text has fewer control characters than this share. */
const mostControls = 0.02

/**
 * Returns a sentence for a file of a known format that is not a recording: its format, and the file to export instead.
 * Returns null for any other text.
 */
export function otherFile(head: string): string | null {
  const found = others.find(([sign]) => sign.test(head))
  if (found) return found[1]
  const controls = head.match(/[^\P{Cc}\s]/gu)?.length ?? 0
  return head.includes('\0') || controls > mostControls * head.length
    ? 'This is not a text file. Export the recording as VBO, GPX, NMEA or CSV.'
    : null
}
