import type { DriverChoice } from '#web/race/driverChoices.ts'
import { driverChangeText as text } from '#web/text/driverChange.ts'
import { rosterText } from '#web/text/roster.ts'
import styles from './DriverPanel.module.css'
import panel from './Panel.module.css'

interface Props {
  /** Id of the list, for `aria-controls` of the button that opens it. */
  id: string
  choices: readonly DriverChoice[]
  /** Name of the driver who drives again after an undo; null if there is nothing to undo. */
  undone: string | null
  onChoose: (driverId: string | null) => void
  onUndo: () => void
}

/** The drivers to choose from, and the undo of the last change. */
export function DriverList({ id, choices, undone, onChoose, onUndo }: Props) {
  return (
    <section
      id={id}
      className={`${panel.panel} ${styles.panel}`}
      aria-label={text.panel}
      data-no-tap=""
    >
      <h2 className={styles.title}>{text.title}</h2>
      <ul className={`${panel.scrolls} ${styles.list}`}>
        {choices.map(choice => (
          <Choice key={choice.seat} {...choice} onChoose={onChoose} />
        ))}
      </ul>
      <p className={styles.hint}>{text.hint}</p>
      {undone !== null && (
        <button type="button" className={`${panel.button} ${styles.undo}`} onClick={onUndo}>
          {text.undo(undone)}
        </button>
      )}
    </section>
  )
}

interface ChoiceProps extends DriverChoice {
  onChoose: (driverId: string | null) => void
}

function Choice({ onChoose, ...choice }: ChoiceProps) {
  const { id, name, isDriving, isWarning, minutes, detail, allowance } = choice
  return (
    <li>
      <button
        type="button"
        className={panel.button}
        disabled={isDriving}
        onClick={() => onChoose(id)}
      >
        <span>
          <b>{name}</b>
          {detail && <small data-warn={isWarning || undefined}>{detail}</small>}
        </span>
        <span className={styles.minutes}>
          <b>{allowance ? allowance.left : rosterText.minutes(minutes)}</b>
          {allowance && <small>{rosterText.leftOf(allowance.of)}</small>}
        </span>
      </button>
    </li>
  )
}
