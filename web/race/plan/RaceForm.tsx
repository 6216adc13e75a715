import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { FormProvider, useForm, useWatch } from 'react-hook-form'
import type { StoredCarRace } from '#contract/carRace.ts'
import { maxNameLetters } from '#contract/shared/bounds.ts'
import { command } from '#web/api/call.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { carRaceQuery } from '#web/race/carRaceQuery.ts'
import { planText } from '#web/text/plan.ts'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { SectionHead } from '#web/ui/PageHead.tsx'
import { SelectField } from '#web/ui/SelectField.tsx'
import typography from '#web/ui/theme/typography.module.css'
import { useToasts } from '#web/ui/toasts.ts'
import { CarChoice } from './CarChoice.tsx'
import styles from './Plan.module.css'
import { RulePacks } from './RulePacks.tsx'
import { RulesFieldset } from './RulesFieldset.tsx'
import { type RaceFields, raceFields, raceFrom, type SavedRace, validators } from './raceFields.ts'

interface Props {
  teamId: string
  sessionId: string
  race: StoredCarRace
}

interface FormProps extends Props {
  /** Called with true while fields are typed that are not saved. */
  onTyping: (isTyping: boolean) => void
}

/**
 * Name, length, cars and rules of the race. Saving makes the race of the session, or changes it. If another person makes
 * one first, the form changes that one.
 */
export function RaceForm({ teamId, sessionId, race, onTyping }: FormProps) {
  // Made once: a repeated press saves the same race.
  const [newId] = useState(() => crypto.randomUUID())
  const form = useForm<RaceFields>({
    mode: 'onChange',
    // Another person may change the race: typed fields stay.
    values: raceFields(race),
    resetOptions: { keepDirtyValues: true },
  })
  const { register, handleSubmit, formState, control } = form
  const save = useSave({ teamId, sessionId, race })
  // `isDirty` is false after a change of another person, while `dirtyFields` still has the typed ones.
  const isTyping = Object.keys(formState.dirtyFields).length > 0
  useEffect(() => onTyping(isTyping), [onTyping, isTyping])
  const lengthIn = useWatch({ control, name: 'lengthIn' })
  const field = (name: keyof typeof validators, label: string, unit: string) => (
    <Field
      {...register(name, { validate: validators[name] })}
      label={`${label} (${unit})`}
      error={formState.errors[name]?.message}
      autoComplete="off"
    />
  )
  async function submit(fields: RaceFields) {
    await save.mutateAsync(raceFrom(fields, race.race?.id ?? newId)).then(
      // Saved fields follow the changes of other people again. Text typed during the request stays.
      // Without `keepDirtyValues` of `resetOptions`, which would also keep the marks of the saved fields.
      () => form.reset(fields, { keepValues: true, keepDirtyValues: false }),
      () => undefined,
    )
  }
  return (
    <FormProvider {...form}>
      <form
        className={styles.form}
        noValidate
        aria-labelledby="plan-rules"
        onSubmit={event => void handleSubmit(submit)(event)}
      >
        <SectionHead id="plan-rules" title={planText.rules} />
        <div className={`${styles.grid} ${styles.railed}`}>
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
          <SelectField {...register('lengthIn', { deps: ['length'] })} label={planText.lengthIn}>
            <option value="time">{planText.inTime}</option>
            <option value="laps">{planText.inLaps}</option>
          </SelectField>
          {field(
            'length',
            planText.length,
            lengthIn === 'laps' ? planText.lapsUnit : planText.lengthUnit,
          )}
          {field('stop', planText.stop, planText.secondUnit)}
          {field('lap', planText.lap, planText.secondUnit)}
          <CarChoice teamId={teamId} />
          <RulePacks teamId={teamId} stored={race.race?.rules ?? null} />
          <RulesFieldset />
        </div>
        <p className={typography.sub}>{planText.rulesHint}</p>
        <Button type="submit" busy={save.isPending} disabled={!formState.isValid}>
          {race.race ? planText.save : planText.create}
        </Button>
      </form>
    </FormProvider>
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
    onSettled: () => client.invalidateQueries({ queryKey: carRaceQuery(sessionId).queryKey }),
  })
}
