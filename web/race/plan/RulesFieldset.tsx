import { ChevronDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'
import { maxNameLetters } from '#contract/shared/bounds.ts'
import { stopCounts } from '#contract/shared/raceRules.ts'
import { planText } from '#web/text/plan.ts'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { Field } from '#web/ui/Field.tsx'
import { SelectField } from '#web/ui/SelectField.tsx'
import typography from '#web/ui/theme/typography.module.css'
import styles from './Plan.module.css'
import { type RulesFields, rulesValidators } from './rulesFields.ts'

/** Values of usual rules. */
const examples: Partial<Record<keyof typeof rulesValidators, string>> = {
  maxStint: '70',
  maxDriver: '180',
  minStop: '3:00',
  requiredStops: '5',
  everyMinutes: '60',
  minus: '1',
  technicalStop: '5:00',
  yellowExtra: '5',
  rowMax: '120',
  rowRest: '60',
  minLaps: '3',
  pitSpeed: '60',
}

/** The rules of a race. Those that only few series have are collapsed, with the actions on the pack. */
export function RulesFieldset({ children }: { children: ReactNode }) {
  const { register, formState, setValue, control } = useFormContext<RulesFields>()
  const [stopsKind, minStop] = useWatch({ control, name: ['stopsKind', 'minStop'] })
  // Changed rules no longer belong to the source.
  const onChange = () => setValue('source', null)
  const field = (
    name: keyof typeof rulesValidators,
    label: string,
    { unit, deps = [] }: { unit?: string; deps?: 'rowMax'[] | 'rowRest'[] } = {},
  ) => (
    <Field
      {...register(name, { validate: rulesValidators[name], onChange, deps })}
      label={unit === undefined ? label : `${label} (${unit})`}
      error={formState.errors[name]?.message}
      placeholder={examples[name] && planText.example(examples[name])}
      maxLength={name === 'rulesName' ? maxNameLetters : 8}
    />
  )
  const minutes = { unit: planText.minuteUnit }
  const seconds = { unit: planText.secondUnit }
  return (
    <>
      <div className={styles.grid}>
        {field('maxStint', planText.maxStint, minutes)}
        {field('maxDriver', planText.maxDriver, minutes)}
        {field('minStop', planText.minStop, seconds)}
      </div>
      <details className={styles.more}>
        <summary>
          <ChevronDown size={20} aria-hidden />
          {planText.moreRules}
        </summary>
        <div className={styles.grid}>
          <SelectField {...register('counts', { onChange })} label={planText.countsFrom}>
            {stopCounts.map(counts => (
              <option key={counts} value={counts}>
                {planText.counts[counts]}
              </option>
            ))}
          </SelectField>
          <SelectField {...register('stopsKind', { onChange })} label={planText.stopsKind}>
            <option value="count">{planText.stopsCount}</option>
            <option value="formula">{planText.stopsFormula}</option>
          </SelectField>
          {stopsKind === 'count' && field('requiredStops', planText.requiredStops)}
          {stopsKind === 'formula' && field('everyMinutes', planText.everyMinutes, minutes)}
          {stopsKind === 'formula' && field('minus', planText.minus)}
          {field('technicalStop', planText.technicalStop, seconds)}
          {field('yellowExtra', planText.yellowExtra, minutes)}
          {field('rowMax', planText.rowMax, { ...minutes, deps: ['rowRest'] })}
          {field('rowRest', planText.rowRest, { ...minutes, deps: ['rowMax'] })}
          {field('minLaps', planText.minLaps)}
          {field('pitSpeed', planText.pitSpeed, { unit: planText.speedUnit })}
          {minStop.trim() !== '' && (
            <div className={styles.whole}>
              <Checkbox {...register('onlyWithFuel', { onChange })} label={planText.onlyWithFuel} />
            </div>
          )}
          <div className={styles.whole}>{field('rulesName', planText.rulesName)}</div>
        </div>
        {children}
        <p className={typography.sub}>{planText.rulesHint}</p>
      </details>
    </>
  )
}
