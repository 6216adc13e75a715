import { seeded } from '../drives.ts'

/** Returns the next number from 0 to 1. */
export type Random = () => number

/** Returns the numbers of the case with this seed. The first ones of neighbouring seeds are alike, and skipped. */
export function randomOfCase(seed: number): Random {
  const random = seeded(seed)
  for (let skipped = 0; skipped < 5; skipped++) random()
  return random
}

/** Values that parsers mistake for others. */
const oddValues = [
  '',
  '0',
  '-0',
  '-',
  'NaN',
  'Infinity',
  '1e308',
  '-1e308',
  '1e-320',
  '9'.repeat(40),
  '0x10',
  '1.2.3',
  '1,234,567',
  '00:00',
  '99:99:99.9',
  '24:00:00',
  '12:34:56 PM',
  '31/31/2026',
  '2026-02-30T25:61:61Z',
  '0000-00-00',
  '+275760-09-13T00:00:00Z',
  '46193.5',
  '-91',
  '180.0000001',
  '47°17\'53.6"N',
  '4717.89356',
  '\u0000',
  '\u2028',
  '\ud800',
  '"',
  '""',
  "'",
  '<',
  '&amp;',
  ']]>',
  '<![CDATA[',
  '#',
  '$GPRMC,,A,,,,,,,,,',
  '[data]',
  '[column names]',
  'time,latitude,longitude',
  'File created on 31/12/2006 at 23:59',
  '\uFEFF',
  '__proto__',
  'constructor',
]

type Change = (text: string, random: Random) => string

const changes: readonly Change[] = [
  // One value becomes an odd one, in one place or everywhere.
  (text, random) => {
    const values = text.match(/[-+\d.:]+/g) ?? ['']
    const value = pick(values, random)
    const odd = pick(oddValues, random)
    return value === '' || random() < 0.7 ? text.replace(value, odd) : text.replaceAll(value, odd)
  },
  // Any text is inserted.
  (text, random) => spliced(text, random, { cut: 0, insert: pick(oddValues, random) }),
  // A part is deleted.
  (text, random) =>
    spliced(text, random, { cut: Math.ceil(random() ** 4 * text.length), insert: '' }),
  // A part is repeated elsewhere.
  (text, random) => {
    const from = at(text, random)
    const part = text.slice(from, from + Math.ceil(random() ** 3 * 2000))
    return spliced(text, random, { cut: 0, insert: part })
  },
  // The file is cut off, or begins later.
  (text, random) =>
    random() < 0.5 ? text.slice(0, at(text, random)) : text.slice(at(text, random)),
  // Lines change their order.
  (text, random) => {
    const lines = text.split('\n')
    const [one, other] = [Math.floor(random() * lines.length), Math.floor(random() * lines.length)]
    return lines
      .with(one, lines[other] ?? '')
      .with(other, lines[one] ?? '')
      .join('\n')
  },
  // The file follows itself.
  text => text + text,
  // A letter becomes another one, in one place or everywhere.
  (text, random) => {
    const letter = text[at(text, random)] ?? ''
    const other = String.fromCharCode(Math.floor(random() ** 2 * 0x2100))
    if (random() < 0.5) return spliced(text, random, { cut: 1, insert: other })
    return letter === '' ? text : text.replaceAll(letter, other)
  },
  // Separators and line ends.
  (text, random) => text.replaceAll(',', pick([';', '\t', '|', ' ', ',,'], random)),
  (text, random) => text.replaceAll('\n', pick(['\r', '\r\n', '\n\n', ' '], random)),
  // Digits become others, so that values stay plausible.
  (text, random) => {
    const share = random() ** 2
    return text.replace(/\d/g, digit =>
      random() < share ? String(Math.floor(random() * 10)) : digit,
    )
  },
]

/** Changes a file in one to five ways. */
export function mutated(text: string, random: Random): string {
  let result = text
  const times = 1 + Math.floor(random() * 5)
  for (let time = 0; time < times && result.length < 4 * text.length; time++)
    result = pick(changes, random)(result, random)
  return result
}

export function pick<Value>(values: readonly Value[], random: Random): Value {
  return values[Math.floor(random() * values.length)] as Value
}

function at(text: string, random: Random): number {
  return Math.floor(random() * (text.length + 1))
}

function spliced(
  text: string,
  random: Random,
  { cut, insert }: { cut: number; insert: string },
): string {
  const from = at(text, random)
  return text.slice(0, from) + insert + text.slice(from + cut)
}
