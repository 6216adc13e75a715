import { timingText } from '#web/text/timing.ts'
import { toneOf } from './figures.ts'
import styles from './OfficialFlag.module.css'
import type { OfficialState } from './useOfficialTiming.ts'

interface Props {
  state: OfficialState
  size: 'page' | 'wall' | 'board'
}

/** The official flag, in the word of its source. A flag that is not current is grey, never green. */
export function OfficialFlag({ state: { run, isFlagCurrent, isRecorded }, size }: Props) {
  const flag = isFlagCurrent && run ? run.flag : null
  const word = flag?.trim()
  return (
    <p
      className={styles.flag}
      data-tone={toneOf(flag) ?? undefined}
      data-size={size}
      data-unknown={!word || undefined}
    >
      <b>{word || (isFlagCurrent ? timingText.noFlag : timingText.flagUnknown)}</b>
      <span>{isRecorded ? timingText.recorded : timingText.source}</span>
    </p>
  )
}
