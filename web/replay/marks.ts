import type { LoggedMessage } from '#contract/messages.ts'
import type { ShownLap } from '#web/laps/shownLap.ts'
import type { LinkGap } from '#web/race/linkGaps.ts'
import { answersText } from '#web/text/answers.ts'
import { toneOf } from '#web/ui/board/tone.ts'

interface Span {
  first: number
  last: number
}

/** Maximum number of ticks on the slider; with more laps only every second, third … has one. */
const maxTicks = 100
const maxLabels = 8
/** Widths of the slider on a wide screen and on a phone, and of a plate and each of its letters. */
const sliderPx = { wide: 900, narrow: 340 }
const platePx = { empty: 16, letter: 8 }

interface LapMark {
  /** When it began. */
  at: number
  number: number
  /** Position of its start, as a share of the slider. */
  share: number
  /** `wide` is shown on wide screens only; null without a label. */
  label: 'always' | 'wide' | null
}

/** Returns the starts of laps on the slider, and which of them have room for their number. */
export function lapMarks(laps: readonly ShownLap[], span: Span): LapMark[] {
  const counted = laps.filter(({ number, startedAt }) => number > 0 && startedAt >= span.first)
  const step = Math.ceil(counted.length / maxTicks)
  const drawn = counted.filter((_, index) => index % step === 0)
  const labelled = Math.max(1, Math.ceil(drawn.length / maxLabels))
  return drawn.map(({ number, startedAt }, index) => {
    const isLabelled = index % labelled === 0
    return {
      at: startedAt,
      number,
      share: shareOf(startedAt, span),
      label: isLabelled ? (index % (labelled * 2) === 0 ? 'always' : 'wide') : null,
    }
  })
}

/** Returns the times without a data link as shares of the slider, as far as they are on it. */
export function linkMarks(
  gaps: readonly LinkGap[],
  span: Span,
): { readonly share: number; readonly width: number }[] {
  return gaps.flatMap(({ from, to }) => {
    const share = shareOf(Math.max(from, span.first), span)
    const width = shareOf(Math.min(to, span.last), span) - share
    return width > 0 ? [{ share, width }] : []
  })
}

/** A message or a report of the driver on the slider. */
interface WordMark {
  key: string
  word: string
  /** Null: a report. */
  tone: string | null
  share: number
  /** False if it never was on the driver's screen: it is where it was sent. */
  isShown: boolean
  /** True for ABORT and for reports, whose words come first. */
  isUrgent: boolean
  /** The row of its word above the slider, from 0, on wide screens and on phones; null where none has room. */
  rows: Record<Width, number | null>
}

type Width = keyof typeof sliderPx
type Placed = Omit<WordMark, 'rows'>

/**
 * Returns the messages on the slider, where the driver saw them, and the driver's reports. CLEAR has no mark. Words
 * that would overlap are stacked in rows, from the lowest: ABORT, PROBLEM and PIT THIS LAP, then the others by time.
 */
export function wordMarks(log: readonly LoggedMessage[], span: Span): WordMark[] {
  const taken = { wide: newRows(), narrow: newRows() }
  return log
    .flatMap(message => [...messageMark(message, span), ...reportMarks(message, span)])
    .sort((a, b) => Number(b.isUrgent) - Number(a.isUrgent) || a.share - b.share)
    .map((mark): WordMark => {
      const rowOf = (width: Width) => takeRow(taken[width], placeOf(mark, width))
      return { ...mark, rows: { wide: rowOf('wide'), narrow: rowOf('narrow') } }
    })
    .sort((a, b) => a.share - b.share)
}

function messageMark(message: LoggedMessage, span: Span): Placed[] {
  const { version, type, ask, shownAt, sentAt } = message
  const at = shownAt ?? sentAt
  if (type === null || at === null || at < span.first || at > span.last) return []
  return [
    {
      key: String(version),
      word: ask ? answersText.question(type) : type,
      tone: toneOf(message),
      share: shareOf(at, span),
      isShown: shownAt !== null,
      isUrgent: type === 'Abort',
    },
  ]
}

function reportMarks({ answers = [] }: LoggedMessage, span: Span): Placed[] {
  return answers
    .filter(({ kind }) => kind === 'Problem' || kind === 'PitThisLap')
    .filter(({ at }) => at >= span.first && at <= span.last)
    .map(({ id, kind, at }) => ({
      key: id,
      word: answersText.word(kind),
      tone: null,
      share: shareOf(at, span),
      isShown: true,
      isUrgent: true,
    }))
}

/** The taken intervals of each row, as shares of the slider. */
type Rows = [from: number, to: number][][]

/** Maximum number of rows; further words are left out. */
const mostRows = 5

function newRows(): Rows {
  return Array.from({ length: mostRows }, () => [])
}

/** Puts a word into the first row with room, and returns that row; null without one. */
function takeRow(rows: Rows, [from, to]: [number, number]): number | null {
  const index = rows.findIndex(row => row.every(([start, end]) => to < start || from > end))
  rows[index]?.push([from, to])
  return index < 0 ? null : index
}

/** Returns where a word begins and ends: it ends with the slider, as the stylesheet has it. */
function placeOf(
  { word, share }: Pick<WordMark, 'word' | 'share'>,
  width: Width,
): [number, number] {
  const size = (platePx.empty + platePx.letter * word.length) / sliderPx[width]
  const from = share * (1 - size)
  return [from, from + size]
}

function shareOf(at: number, { first, last }: Span): number {
  return (at - first) / Math.max(1, last - first)
}
