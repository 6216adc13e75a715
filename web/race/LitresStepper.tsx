import { maxTankL } from '#contract/shared/stintRules.ts'
import { fuelText } from '#web/text/fuel.ts'
import { Stepper } from './Stepper.tsx'

interface Props {
  text: string
  /** Null if the text is not a number of litres. */
  litres: number | null
  onChange: (text: string) => void
}

/** A field for litres, with keys for one litre more or less that work with gloves. */
export function LitresStepper({ text, litres, onChange }: Props) {
  const step = (by: number) => {
    const next = Math.min(maxTankL, Math.max(0, Math.round(litres ?? 0) + by))
    onChange(String(next))
  }
  return (
    <Stepper less={fuelText.less} more={fuelText.more} onStep={step}>
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
    </Stepper>
  )
}
