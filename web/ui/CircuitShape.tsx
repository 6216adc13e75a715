import styles from './CircuitShape.module.css'

/** The outline of a circuit at the size of a plate, decorative beside its name. `places` are in a square of 100. */
export function CircuitShape({ places }: { places: readonly { x: number; y: number }[] }) {
  return (
    <svg className={styles.shape} viewBox="-8 -8 116 116" aria-hidden>
      <polygon points={places.map(({ x, y }) => `${x},${y}`).join(' ')} />
    </svg>
  )
}
