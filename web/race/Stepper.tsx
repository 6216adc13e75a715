import { Minus, Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import styles from './Stepper.module.css'

interface Props {
  /** Names of the keys. */
  less: string
  more: string
  /** The step, below the signs. */
  unit?: string
  onStep: (sign: 1 | -1) => void
  /** The text field between the keys. */
  children: ReactNode
}

/** A field for a figure, between keys for one step less or more that work with gloves. */
export function Stepper({ less, more, unit, onStep, children }: Props) {
  return (
    <div className={styles.stepper}>
      <button type="button" aria-label={less} onClick={() => onStep(-1)}>
        <Minus size={30} aria-hidden />
        {unit && <small>{unit}</small>}
      </button>
      {children}
      <button type="button" aria-label={more} onClick={() => onStep(1)}>
        <Plus size={30} aria-hidden />
        {unit && <small>{unit}</small>}
      </button>
    </div>
  )
}
