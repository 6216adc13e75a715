import type { ReactNode } from 'react'
import { timingText } from '#web/text/timing.ts'
import { toneOf } from './figures.ts'
import styles from './OfficialFlag.module.css'
import type { OfficialState } from './useOfficialTiming.ts'

interface Props {
  state: OfficialState
  size: 'page' | 'wall' | 'board'
  /** Replaces the name of the source, such as by the cars that have shown the flag. */
  note?: ReactNode
}

/** The official flag, in the word of its source. A flag that is not current is grey, never green. */
export function OfficialFlag({ state, size, note = timingText.source }: Props) {
  const { run, isFlagCurrent, isRecorded } = state
  return (
    <FlagBand
      flag={isFlagCurrent && run ? run.flag : null}
      note={isRecorded ? timingText.recorded : note}
      {...{ isFlagCurrent, size }}
    />
  )
}

interface BandProps {
  /** The word of the source; null if it is not known, or the source shows none. */
  flag: string | null
  isFlagCurrent: boolean
  size: Props['size'] | 'glass'
  note?: ReactNode
}

/** A flag as a band of its colour. */
export function FlagBand({ flag, isFlagCurrent, size, note = timingText.source }: BandProps) {
  const word = flag?.trim()
  return (
    <p
      className={styles.flag}
      data-tone={toneOf(flag) ?? undefined}
      data-size={size}
      data-unknown={!word || undefined}
    >
      <b>{word || (isFlagCurrent ? timingText.noFlag : timingText.flagUnknown)}</b>
      <span>{note}</span>
    </p>
  )
}
