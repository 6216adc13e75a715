import { SaxesParser } from 'saxes'
import type { ElementReader } from './elementReader.ts'
import { KmlReader } from './kml.ts'
import type { RecordedFix } from './recordedFix.ts'
import { RecordingRefused } from './recordingRefused.ts'
import { TrackReader } from './trackPoints.ts'
import { quoted } from './unread.ts'

/** The formats by the name of their root. */
const readers = new Map<string, () => ElementReader>([
  ['gpx', () => new TrackReader('GPX', 'trkpt')],
  ['trainingcenterdatabase', () => new TrackReader('TCX', 'trackpoint')],
  ['kml', () => new KmlReader()],
])

/** Letters passed to the parser at once: it copies the unread rest. */
const portionLetters = 1_000_000

/**
 * Reads the track points of a GPX (1.0 or 1.1), TCX or KML file, also in extensions of any namespace, by the names in
 * `columns.ts`. Speeds are in m/s unless their name has another unit. Times without a zone are in UTC. Numbers may have
 * decimal commas. A file may end early, because its logger lost power. Throws RecordingRefused.
 */
export function xmlFixes(text: string): RecordedFix[] {
  const parser = new SaxesParser()
  let reader: ElementReader | null = null
  let kind = 'GPX, TCX or KML'
  let content = ''
  let isAtEnd = false
  parser.on('error', error => {
    // The file was cut off: the points that were read are complete.
    if (isAtEnd && reader?.hasPoints) return
    // The position of the fault is one line; saxes repeats the text of the file after it.
    const reason = error.message.split('\n', 1).join().slice(0, 120).replace(/\.$/, '')
    throw new RecordingRefused(`The file is not a valid ${kind} file: ${reason}.`)
  })
  parser.on('opentag', ({ name, attributes }) => {
    content = ''
    const local = localName(name)
    if (!reader) {
      reader = readerOf(local)
      kind = local === 'trainingcenterdatabase' ? 'TCX' : local.toUpperCase()
    }
    reader.open(local, attributes)
  })
  const addContent = (part: string) => {
    content += part
  }
  parser.on('text', addContent)
  parser.on('cdata', addContent)
  parser.on('closetag', ({ name }) => {
    // Tags that are still open at the end of the file do not complete a point.
    if (!isAtEnd) reader?.close(localName(name), content.trim())
    content = ''
  })
  for (let from = 0; from < text.length; from += portionLetters)
    parser.write(text.slice(from, from + portionLetters))
  isAtEnd = true
  parser.close()
  // TypeScript does not see that the parser assigns it.
  const read = reader as ElementReader | null
  if (!read)
    throw new RecordingRefused('The file is not a valid GPX, TCX or KML file: it is empty.')
  return read.finish()
}

function readerOf(root: string): ElementReader {
  const create = readers.get(root)
  if (create) return create()
  throw new RecordingRefused(
    `This XML file (${quoted(root)}) is neither GPX, TCX nor KML. Export the recording as GPX or CSV.`,
  )
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1).toLowerCase()
}
