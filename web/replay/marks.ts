import type { LoggedMessage, MessageType } from '#contract/messages.ts'
import type { ShownLap } from '#web/laps/shownLap.ts'

interface Span {
  first: number
  last: number
}

/** Maximum number of ticks on the slider; with more laps only every second, third … has one. */
const maxTicks = 100
const maxLabels = 8
/** Shares of the slider that a plate needs: on a wide screen, and on a phone. */
const plateShare = { wide: 0.05, narrow: 0.15 }

/** A lap on the slider. */
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

/** A message on the slider. */
interface MessageMark {
  version: number
  type: MessageType
  tone: string
  share: number
  /** False if it never was on the driver's screen: it is where it was sent. */
  isShown: boolean
  /** Whether its word has room on every screen, on wide ones only, or on none. */
  room: 'always' | 'wide' | 'none'
}

/** Returns the messages on the slider, where the driver saw them. CLEAR has no mark. */
export function messageMarks(log: readonly LoggedMessage[], span: Span): MessageMark[] {
  const ends = { wide: Number.NEGATIVE_INFINITY, narrow: Number.NEGATIVE_INFINITY }
  return log
    .flatMap(({ version, type, colour, shownAt, sentAt }) => {
      const at = shownAt ?? sentAt
      if (type === null || at === null || at < span.first || at > span.last) return []
      const tone = colour ?? type.toLowerCase()
      return { version, type, tone, isShown: shownAt !== null, share: shareOf(at, span) }
    })
    .sort((a, b) => a.share - b.share)
    .map(mark => {
      const isWide = mark.share >= ends.wide
      const isNarrow = isWide && mark.share >= ends.narrow
      if (isWide) ends.wide = mark.share + plateShare.wide
      if (isNarrow) ends.narrow = mark.share + plateShare.narrow
      return { ...mark, room: isNarrow ? 'always' : isWide ? 'wide' : 'none' }
    })
}

function shareOf(at: number, { first, last }: Span): number {
  return (at - first) / Math.max(1, last - first)
}
