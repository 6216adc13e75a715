import { rosterText } from '#web/text/roster.ts'
import { SelectField } from '#web/ui/SelectField.tsx'
import type { useCarChoice } from './useCarChoice.ts'

/** Asks for car and driver; renders nothing where the team has no cars. */
export function ChooseCar({ choice }: { choice: ReturnType<typeof useCarChoice> }) {
  const { cars, drivers, chosen, choose } = choice
  if (cars.length === 0) return null
  return (
    <>
      <Choice
        label={rosterText.chooseCar}
        value={chosen.carId}
        none={rosterText.withoutCar}
        choices={cars.map(({ id, number, name }) => ({
          id,
          text: [rosterText.car(number), name].filter(Boolean).join(', '),
        }))}
        onChoose={carId => choose({ carId })}
      />
      {drivers.length > 0 && (
        <Choice
          label={rosterText.chooseDriver}
          value={chosen.driverId}
          none={rosterText.myself}
          choices={drivers.map(({ id, name }) => ({ id, text: name }))}
          onChoose={driverId => choose({ driverId })}
        />
      )}
    </>
  )
}

interface ChoiceProps {
  label: string
  value: string | null
  /** The text of the choice without a car, or without a driver of the roster. */
  none: string
  choices: readonly { id: string; text: string }[]
  onChoose: (id: string | null) => void
}

function Choice({ label, value, none, choices, onChoose }: ChoiceProps) {
  return (
    <SelectField
      label={label}
      value={value ?? ''}
      onChange={event => onChoose(event.target.value || null)}
    >
      <option value="">{none}</option>
      {choices.map(choice => (
        <option key={choice.id} value={choice.id}>
          {choice.text}
        </option>
      ))}
    </SelectField>
  )
}
