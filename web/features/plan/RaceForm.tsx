import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import { type Path, useForm, useWatch } from 'react-hook-form'
import { maxNameLetters } from '#contract/shared/bounds.ts'
import type { RaceOfSession } from '#contract/stints.ts'
import { command, read } from '#web/api/call.ts'
import { refusalText } from '#web/api/refusals/refusalText.ts'
import { stintsQuery } from '#web/stints/useStints.ts'
import { planText } from '#web/text/race/plan.ts'
import { Button } from '#web/ui/buttons/Button.tsx'
import { Field } from '#web/ui/forms/Field.tsx'
import { SectionHead } from '#web/ui/layout/PageHead.tsx'
import { useToasts } from '#web/ui/overlays/toasts.ts'
import typography from '#web/ui/theme/typography.module.css'
import styles from './Plan.module.css'
import {
  type RaceFields,
  raceFields,
  raceFrom,
  rulesFields,
  type SavedRace,
  validators,
} from './raceFields.ts'

interface Props {
  teamId: string
  sessionId: string
  race: RaceOfSession
}

/** Length and rules of the race. Saving makes the race of the session, or changes it. */
export function RaceForm({ teamId, sessionId, race }: Props) {
  const packId = useId()
  const lengthId = useId()
  const packs = useQuery({
    queryKey: ['rulePacks.list', teamId],
    queryFn: ({ signal }) => read('rulePacks.list', { teamId }, { signal }),
  }).data
  const { register, handleSubmit, formState, setValue, control } = useForm<RaceFields>({
    mode: 'onChange',
    defaultValues: raceFields(race),
  })
  const save = useSave({ teamId, sessionId, race })
  const [packIdChosen, lengthIn] = useWatch({ control, name: ['pack', 'lengthIn'] })
  const pack = packs?.find(({ id }) => id === packIdChosen)
  const source = pack ? pack.rules.source : race.race?.rules.source
  function choose(id: string) {
    const rules = packs?.find(each => each.id === id)?.rules
    if (!rules) return
    for (const [name, value] of Object.entries(rulesFields(rules)))
      setValue(name as Path<RaceFields>, value, { shouldDirty: true, shouldValidate: true })
  }
  const field = (name: keyof typeof validators, label: string, unit: string) => (
    <Field
      {...register(name, { validate: validators[name] })}
      label={unit === '' ? label : `${label} (${unit})`}
      error={formState.errors[name]?.message}
      autoComplete="off"
    />
  )
  return (
    <form
      className={styles.form}
      noValidate
      aria-labelledby="plan-rules"
      onSubmit={event =>
        void handleSubmit(fields => save.mutate(raceFrom(fields, race, pack?.rules)))(event)
      }
    >
      <SectionHead id="plan-rules" title={planText.rules} />
      <div className={styles.pairs}>
        <div className={styles.whole}>
          <Field
            {...register('name', {
              validate: text => text.trim() !== '' || planText.nameMissing,
            })}
            label={planText.raceName}
            error={formState.errors.name?.message}
            maxLength={maxNameLetters}
            autoComplete="off"
          />
        </div>
        <div className={`${styles.whole} ${styles.pack}`}>
          <label htmlFor={packId}>{planText.pack}</label>
          <select
            {...register('pack', { onChange: ({ target }) => choose(String(target.value)) })}
            id={packId}
            className={styles.driver}
          >
            <option value="">{race.race?.rules.name ?? planText.ownRules}</option>
            {packs?.map(({ id, rules }) => (
              <option key={id} value={id}>
                {rules.name}
              </option>
            ))}
          </select>
          {source && (
            <a href={source.url} rel="noreferrer" target="_blank">
              {planText.source(source.checkedOn)}
            </a>
          )}
        </div>
        <div className={styles.pack}>
          <label htmlFor={lengthId}>{planText.lengthIn}</label>
          <select
            {...register('lengthIn', { deps: ['length'] })}
            id={lengthId}
            className={styles.driver}
          >
            <option value="time">{planText.inTime}</option>
            <option value="laps">{planText.inLaps}</option>
          </select>
        </div>
        {field(
          'length',
          planText.length,
          lengthIn === 'laps' ? planText.lapsUnit : planText.lengthUnit,
        )}
        {field('maxStint', planText.maxStint, planText.minuteUnit)}
        {field('minStop', planText.minStop, planText.secondUnit)}
        {field('maxDriver', planText.maxDriver, planText.minuteUnit)}
        {field('requiredStops', planText.requiredStops, '')}
        {field('stop', planText.stop, planText.secondUnit)}
        {field('lap', planText.lap, planText.secondUnit)}
      </div>
      <p className={typography.sub}>{planText.rulesHint}</p>
      <Button type="submit" busy={save.isPending} disabled={!formState.isValid}>
        {race.race ? planText.save : planText.create}
      </Button>
    </form>
  )
}

function useSave({ teamId, sessionId, race }: Props) {
  const client = useQueryClient()
  const toasts = useToasts()
  return useMutation({
    mutationFn: async ({ race: saved, stopMs, lapMs }: SavedRace) => {
      await command('races.save', { teamId, race: saved })
      const ofPlan = { raceId: saved.id, carId: race.car?.id ?? null }
      await command('races.changePlan', { ...ofPlan, change: { kind: 'stop', stopMs } })
      await command('races.changePlan', { ...ofPlan, change: { kind: 'lap', lapMs } })
    },
    onSuccess: () => toasts.success(planText.saved, '', 'plan'),
    onError: reason => toasts.error(planText.saveFailed, refusalText(reason), 'plan'),
    onSettled: () => client.invalidateQueries({ queryKey: stintsQuery(sessionId).queryKey }),
  })
}
