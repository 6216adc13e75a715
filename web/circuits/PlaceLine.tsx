import { useId } from 'react'
import type { TeamCircuit } from '#contract/circuits.ts'
import { appText } from '#web/text/app.ts'
import { circuitsText } from '#web/text/circuits.ts'
import { Button } from '#web/ui/Button.tsx'
import { grouped } from '#web/ui/grouped.ts'
import { Note } from './CircuitActions.tsx'
import styles from './CircuitsScreen.module.css'

/** Distance of one step of the slider. */
const stepM = 2

interface Props {
  circuit: TeamCircuit
  /** Share of the lap from the start of the outline. */
  progress: number
  busy: boolean
  onProgress: (progress: number) => void
  onSave: () => void
  onCancel: () => void
}

/** Chooses the place of the line along the outline. A tap on the map does the same as the slider. */
export function PlaceLine({ circuit, progress, busy, onProgress, onSave, onCancel }: Props) {
  const id = useId()
  const { lengthM } = circuit
  const alongM = Math.round(progress * lengthM)
  return (
    <>
      <div className={styles.placing}>
        <span>
          <label htmlFor={id}>{circuitsText.placing}</label>
          <output htmlFor={id}>{circuitsText.placingAt(grouped(alongM))}</output>
        </span>
        <input
          id={id}
          type="range"
          min={0}
          max={lengthM}
          step={stepM}
          value={alongM}
          aria-valuetext={circuitsText.placingAt(grouped(alongM))}
          onChange={event => onProgress(event.target.valueAsNumber / lengthM)}
        />
      </div>
      <div className={styles.actions}>
        <Button busy={busy} onClick={onSave}>
          {circuitsText.placeHere}
        </Button>
        <Button variant="quiet" onClick={onCancel}>
          {appText.cancel}
        </Button>
      </div>
      <Note>{circuitsText.hintPlacing}</Note>
    </>
  )
}
