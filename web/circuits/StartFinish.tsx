import type { Drawing } from './drawing.ts'

/** The start/finish line, and an arrow in driving direction beside it. */
export function StartFinish({ start: { x, y, turnDeg, arrow } }: Pick<Drawing, 'start'>) {
  return (
    <g transform={`translate(${x.toFixed(1)} ${y.toFixed(1)}) rotate(${turnDeg.toFixed(1)})`}>
      <rect fill="var(--flag-white)" x="-13" y="-33" width="26" height="66" />
      {[0, 1, 2, 3, 4].map(row => (
        <rect key={row} x={row % 2 === 0 ? -12 : 0} y={-32 + row * 12.8} width="12" height="12.8" />
      ))}
      <rect
        fill="none"
        stroke="var(--flag-black)"
        strokeWidth="3"
        x="-13"
        y="-33"
        width="26"
        height="66"
      />
      <path
        fill="none"
        stroke="var(--ink-2)"
        strokeWidth="7"
        strokeLinecap="round"
        strokeLinejoin="round"
        d="M-26 0h52m-18-16l18 16l-18 16"
        transform={`translate(0 ${arrow})`}
      />
    </g>
  )
}
