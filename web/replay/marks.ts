import type { LoggedMessage } from '#contract/messages.ts'
import type { ShownLap } from '#web/laps/shownLap.ts'
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

/** A message or a report of the driver on the slider. */
interface WordMark {
  key: string
  word: string
  /** Null: a report. */
  tone: string | null
  share: number
  /** False if it never was on the driver's screen: it is where it was sent. */
  isShown: boolean
  /** Whether its word has room on every screen, on wide ones only, or on none. */
  room: 'always' | 'wide' | 'none'
  /** Urgent words that are near each other are in rows above the first, 0. */
  row: number
}

type Placed = Omit<WordMark, 'room' | 'row'> & { isUrgent: boolean }

/**
 * Returns the messages on the slider, where the driver saw them, and the driver's reports. CLEAR has no mark. Where words
 * would overlap, ABORT, PROBLEM and PIT THIS LAP come before others, then earlier ones.
 */
export function wordMarks(log: readonly LoggedMessage[], span: Span): WordMark[] {
  const rows = [new Row(), new Row(), new Row()]
  return log
    .flatMap(message => [...messageMark(message, span), ...reportMarks(message, span)])
    .sort((a, b) => Number(b.isUrgent) - Number(a.isUrgent) || a.share - b.share)
    .map(({ isUrgent, ...mark }): WordMark => {
      const row = isUrgent ? rows.findIndex(each => each.hasRoom(mark, 'narrow')) : 0
      return { ...mark, room: rows[Math.max(0, row)]?.take(mark) ?? 'none', row: Math.max(0, row) }
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

/** The words of a row of the slider, as they are placed. */
class Row {
  readonly #taken = { wide: [] as [number, number][], narrow: [] as [number, number][] }

  hasRoom(mark: Pick<WordMark, 'word' | 'share'>, width: keyof typeof sliderPx): boolean {
    const [from, to] = placeOf(mark, width)
    return this.#taken[width].every(([start, end]) => to < start || from > end)
  }

  take(mark: Pick<WordMark, 'word' | 'share'>): WordMark['room'] {
    const isWide = this.hasRoom(mark, 'wide')
    const isNarrow = isWide && this.hasRoom(mark, 'narrow')
    if (isWide) this.#taken.wide.push(placeOf(mark, 'wide'))
    if (isNarrow) this.#taken.narrow.push(placeOf(mark, 'narrow'))
    return isNarrow ? 'always' : isWide ? 'wide' : 'none'
  }
}

/** Returns where a word begins and ends: it ends with the slider, as the stylesheet has it. */
function placeOf(
  { word, share }: Pick<WordMark, 'word' | 'share'>,
  width: keyof typeof sliderPx,
): [number, number] {
  const size = (platePx.empty + platePx.letter * word.length) / sliderPx[width]
  const from = share * (1 - size)
  return [from, from + size]
}

function shareOf(at: number, { first, last }: Span): number {
  return (at - first) / Math.max(1, last - first)
}
