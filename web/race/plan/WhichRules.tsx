import { useEffect, useEffectEvent, useRef } from 'react'
import { FormProvider, useForm } from 'react-hook-form'
import type { RaceRules } from '#contract/rulePacks.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { planText } from '#web/text/plan.ts'
import typography from '#web/ui/theme/typography.module.css'
import { useToasts } from '#web/ui/toasts.ts'
import { Question, questionId } from './Question.tsx'
import styles from './Questions.module.css'
import { PackActions, RulePacks } from './RulePacks.tsx'
import { RulesFieldset } from './RulesFieldset.tsx'
import { type RulesFields, rulesFields, rulesFrom } from './rulesFields.ts'
import type { SaveRace } from './useSaveRace.ts'
import { isRefused, saveAfterMs } from './useTyped.ts'

/** The id of its heading. */
export const rulesId = questionId(2)

interface Props {
  teamId: string
  rules: RaceRules
  saving: SaveRace
}

/** The second question about a race: a rule pack, the three rules that most series have, and the others. */
export function WhichRules({ teamId, rules, saving }: Props) {
  const toasts = useToasts()
  const form = useForm<RulesFields>({
    mode: 'onChange',
    // Another person may change the rules: typed fields stay.
    values: rulesFields(rules),
    resetOptions: { keepDirtyValues: true },
  })
  // The rules that the typed ones replace.
  const was = useRef<RaceRules | null>(null)
  const pending = useRef<number | undefined>(undefined)
  async function save(fields: RulesFields) {
    const to = rulesFrom(fields)
    const replaced = was.current
    if (!replaced) return
    const isChanged = JSON.stringify(to) !== JSON.stringify(replaced)
    was.current = isChanged ? to : null
    if (!isChanged) return
    await saving.save({ to: { rules: to }, was: { rules: replaced } }).then(
      () => {
        // Text was typed during the request: it is saved next.
        if (pending.current !== undefined) return
        // Saved fields follow the changes of other people again.
        // Without `keepDirtyValues` of `resetOptions`, which would also keep the marks of the saved fields.
        form.reset(fields, { keepValues: true, keepDirtyValues: false })
        if (was.current === to) was.current = null
      },
      (reason: unknown) => {
        was.current = isRefused(reason) ? null : replaced
        if (isRefused(reason)) form.reset(rulesFields(rules), { keepDirtyValues: false })
        toasts.error(planText.saveFailed, refusalText(reason), 'plan')
      },
    )
  }
  const saveNow = () => {
    window.clearTimeout(pending.current)
    pending.current = undefined
    void form.handleSubmit(save)()
  }
  const saveSoon = () => {
    was.current ??= rules
    window.clearTimeout(pending.current)
    pending.current = window.setTimeout(saveNow, saveAfterMs)
  }
  const onTyped = useEffectEvent(saveSoon)
  const onLeave = useEffectEvent(() => {
    if (was.current) saveNow()
  })
  useEffect(() => {
    const unsubscribe = form.subscribe({
      formState: { values: true },
      callback: ({ type }) => {
        if (type === 'change') onTyped()
      },
    })
    return () => {
      unsubscribe()
      onLeave()
    }
  }, [form])
  function choose(chosen: RaceRules) {
    saveSoon()
    for (const [name, value] of Object.entries(rulesFields(chosen)))
      form.setValue(name as keyof RulesFields, value, { shouldDirty: true, shouldValidate: true })
  }
  return (
    <Question number={2} title={planText.whichRules}>
      <FormProvider {...form}>
        <form
          className={styles.rules}
          noValidate
          aria-label={planText.whichRules}
          onSubmit={event => {
            event.preventDefault()
            saveNow()
          }}
        >
          <RulePacks teamId={teamId} onChoose={choose} />
          {hasNone(rules) && <p className={typography.sub}>{planText.noRulesYet}</p>}
          <RulesFieldset>
            <PackActions teamId={teamId} onChoose={choose} />
          </RulesFieldset>
        </form>
      </FormProvider>
    </Question>
  )
}

/** True if rules have no limit. */
function hasNone(rules: RaceRules): boolean {
  const { name: _, ...limits } = rules
  return Object.values(limits).every(limit => limit === null)
}
