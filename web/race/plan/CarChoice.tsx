import { useFormContext } from 'react-hook-form'
import { useRoster } from '#web/race/rosterQuery.ts'
import { planText } from '#web/text/plan.ts'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import typography from '#web/ui/theme/typography.module.css'
import styles from './Plan.module.css'
import type { RaceFields } from './raceFields.ts'

/** The cars of the team that drive the race, also removed ones that it names; renders nothing where the team has none. */
export function CarChoice({ teamId }: { teamId: string }) {
  const { register, formState } = useFormContext<RaceFields>()
  const named = formState.defaultValues?.carIds ?? []
  const { data: roster } = useRoster(teamId)
  const cars = roster?.cars.filter(({ id, archived }) => !archived || named.includes(id)) ?? []
  if (cars.length === 0) return null
  return (
    <fieldset className={`${styles.whole} ${styles.cars}`}>
      <legend>{planText.cars}</legend>
      <p className={typography.sub}>{planText.everyCar}</p>
      {cars.map(({ id, number, name }) => (
        <Checkbox
          key={id}
          {...register('carIds')}
          value={id}
          label={[planText.carNumber(number), name].filter(Boolean).join(', ')}
        />
      ))}
    </fieldset>
  )
}
