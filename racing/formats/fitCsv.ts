/** How the table of Garmin's FitCSVTool begins. */
const head = /^"?Type"?,"?Local Number"?,"?Message"?,"?Field 1"?,/

/** The columns of the table before its fields, which are a name, a value and a unit each. */
const fieldsFrom = 3

const fields = ['timestamp', 'position_lat', 'position_long', 'enhanced_speed', 'speed'] as const

/**
 * Returns the positions in a table of FitCSVTool, which has a row for each message of a FIT file and names the fields in
 * each row, as CSV with one column for each field; every other text unchanged.
 */
export function withFitColumns(text: string): string {
  if (!head.test(text)) return text
  const rows = text.split(/\r?\n/).flatMap(line => {
    const cells = line.replaceAll('"', '').split(',')
    if (cells[0] !== 'Data' || cells[2] !== 'record') return []
    const valueOf = (name: string) => {
      const at = cells.indexOf(name, fieldsFrom)
      return at === -1 ? '' : (cells[at + 1] ?? '')
    }
    return fields.map(valueOf).join(',')
  })
  return ['timestamp,position_lat,position_long,enhanced_speed_mps,speed_mps', ...rows].join('\n')
}
