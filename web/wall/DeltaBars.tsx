import type { ShownLap } from '#web/laps/shownLap.ts'
import { wallText } from '#web/text/wall.ts'
import { type Bar, barsOf } from './bars.ts'
import styles from './DeltaBars.module.css'

const slots = 10
const wide = 14
const step = 20
const half = 32
const zero = 34

/** The last ten laps as bars on a line: up and filled is faster, down and outlined slower. */
export function DeltaBars({ laps }: { laps: readonly ShownLap[] }) {
  const bars = barsOf(laps)
  const count = (kind: Bar['kind']) => bars.filter(bar => bar.kind === kind).length
  const before = slots - bars.length
  return (
    <svg
      className={styles.bars}
      viewBox="0 0 200 68"
      preserveAspectRatio="none"
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- drawn here, not a picture file
      role="img"
      aria-label={wallText.bars(count('faster'), count('slower'), count('none'))}
    >
      {bars.map(({ at, kind, length }, index) => (
        <rect key={at} className={styles[kind]} {...boxOf(kind, length, before + index)} />
      ))}
      <path className={styles.zero} d={`M0 ${zero}H200`} />
    </svg>
  )
}

function boxOf(kind: Bar['kind'], length: number, slot: number) {
  const x = slot * step + (step - wide) / 2
  if (kind === 'none') return { x, y: zero - 4, width: wide, height: 8 }
  const height = Math.max(2, length * half)
  if (kind === 'faster') return { x, y: zero - height, width: wide, height }
  return { x: x + 1.2, y: zero, width: wide - 2.4, height }
}
