import { Minus, Plus } from 'lucide-react'
import { maxTankL } from '#contract/shared/stintRules.ts'
import { fuelText } from '#web/text/fuel.ts'
import styles from './RefuelSheet.module.css'

interface Props {
  text: string
  /** Null if the text is not a number of litres. */
  litres: number | null
  onChange: (text: string) => void
}

/** A field for litres, with keys for one litre more or less that work with gloves. */
export function LitresStepper({ text, litres, onChange }: Props) {
  const step = (by: number) => {
    const next = Math.min(maxTankL, Math.max(1, Math.round(litres ?? 0) + by))
    onChange(String(next))
  }
  return (
    <div className={styles.stepper}>
      <button type="button" aria-label={fuelText.less} onClick={() => step(-1)}>
        <Minus size={30} aria-hidden />
      </button>
      <input
        aria-label={fuelText.amount}
        aria-invalid={litres === null}
        inputMode="decimal"
        autoComplete="off"
        maxLength={7}
        value={text}
        onChange={event => onChange(event.target.value)}
        onFocus={event => event.target.select()}
      />
      <button type="button" aria-label={fuelText.more} onClick={() => step(1)}>
        <Plus size={30} aria-hidden />
      </button>
    </div>
  )
}
