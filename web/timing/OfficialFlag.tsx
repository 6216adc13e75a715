import type { ReactNode } from 'react'
import { timingText } from '#web/text/timing.ts'
import { ageText } from '#web/ui/ages.ts'
import { flagTone } from './figures.ts'
import tones from './flagTones.module.css'
import styles from './OfficialFlag.module.css'
import type { OfficialState } from './useOfficialTiming.ts'

interface Props {
  state: OfficialState
  size: 'page' | 'wall' | 'board'
  /** Adds to the name of the source, such as the cars that have shown the flag. */
  note?: (source: string) => ReactNode
}

/**
 * The official flag, as its source names it. A flag that is not current is grey, never green, and one that was entered
 * by hand is an outline with its age.
 */
export function OfficialFlag({ state, size, note = source => source }: Props) {
  const { run, isFlagCurrent, isRecorded, lateMs } = state
  const entered = isFlagCurrent ? undefined : run?.flagEntered
  if (run && entered) {
    const age = ageText(entered.agoMs + lateMs)
    return (
      <FlagBand
        byHand
        flag={run.flag}
        note={note(size === 'page' ? timingText.byHandAge(age) : timingText.byHandShort(age))}
        {...{ isFlagCurrent, size }}
      />
    )
  }
  const source = isRecorded ? timingText.recorded : timingText.source
  return (
    <FlagBand
      flag={isFlagCurrent && run ? run.flag : null}
      note={isFlagCurrent && !isRecorded ? note(source) : source + reasonOf(state)}
      {...{ isFlagCurrent, size }}
    />
  )
}

/** Returns why nothing is current, after the name of the source; empty while something is. */
function reasonOf({ isCurrent, isFailed, silentMs }: OfficialState): string {
  if (isFailed) return timingText.failedShort
  return isCurrent || silentMs === null ? '' : timingText.silentShort(ageText(silentMs))
}

interface BandProps {
  /** The flag as the source names it; null if it is not known, or the source shows none. */
  flag: string | null
  isFlagCurrent: boolean
  size: Props['size'] | 'glass'
  note?: ReactNode
  /** It was entered by hand. */
  byHand?: boolean
}

/** A flag as a band of its colour. */
export function FlagBand(props: BandProps) {
  const { flag, isFlagCurrent, size, note = timingText.source, byHand = false } = props
  const word = flag?.trim()
  return (
    <p
      className={`${styles.flag} ${tones.toned}`}
      data-tone={flagTone(flag) ?? undefined}
      data-size={size}
      data-unknown={!word || undefined}
      data-by-hand={byHand || undefined}
    >
      <b>{word || (isFlagCurrent ? timingText.noFlag : timingText.flagUnknown)}</b>
      <span>{note}</span>
    </p>
  )
}
