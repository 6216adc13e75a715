import { useState } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'
import type { RaceRules, RulePack, RulePackFile } from '#contract/rulePacks.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { planText } from '#web/text/plan.ts'
import { Button } from '#web/ui/Button.tsx'
import { ConfirmDialog } from '#web/ui/Dialog.tsx'
import { SelectField } from '#web/ui/SelectField.tsx'
import { useToasts } from '#web/ui/toasts.ts'
import { ImportPack } from './ImportPack.tsx'
import styles from './Plan.module.css'
import type { RaceFields } from './raceFields.ts'
import { rulesFields, rulesFrom, rulesValidators } from './rulesFields.ts'
import { useChangePacks, useRulePacks } from './useRulePacks.ts'

interface Props {
  teamId: string
  /** The rules of the race as they are stored; null before it is. */
  stored: RaceRules | null
}

/** Chooses the rules of a race from a rule pack, and saves, shares and removes the team's own ones. */
export function RulePacks({ teamId, stored }: Props) {
  const { data: packs = [] } = useRulePacks(teamId)
  const { setValue, control } = useFormContext<RaceFields>()
  const [packId, source] = useWatch({ control, name: ['pack', 'source'] })
  const pack = packs.find(({ id }) => id === packId)
  function show(rules: RaceRules) {
    for (const [name, value] of Object.entries(rulesFields(rules)))
      setValue(name as keyof RaceFields, value, { shouldDirty: true, shouldValidate: true })
  }
  function choose({ id, rules }: RulePack) {
    setValue('pack', id, { shouldDirty: true })
    show(rules)
  }
  return (
    <div className={`${styles.whole} ${styles.packs}`}>
      <SelectField
        label={planText.pack}
        value={packId}
        onChange={({ target }) => {
          const chosen = packs.find(({ id }) => id === target.value)
          setValue('pack', target.value, { shouldDirty: true })
          if (chosen) show(chosen.rules)
          else if (stored) show(stored)
        }}
      >
        <option value="">{stored?.name ?? planText.ownRules}</option>
        {packs.map(({ id, rules }) => (
          <option key={id} value={id}>
            {rules.name}
          </option>
        ))}
      </SelectField>
      {source && (
        <a href={source.url} rel="noreferrer" target="_blank">
          {planText.source(source.checkedOn)}
        </a>
      )}
      <PackActions teamId={teamId} pack={pack} onChoose={choose} />
    </div>
  )
}

interface ActionsProps {
  teamId: string
  pack: RulePack | undefined
  onChoose: (pack: RulePack) => void
}

function PackActions({ teamId, pack, onChoose }: ActionsProps) {
  const toasts = useToasts()
  const change = useChangePacks(teamId)
  const { trigger, getValues, setValue } = useFormContext<RaceFields>()
  const [isRemoving, setRemoving] = useState(false)
  const own = pack?.isOwn ? pack : undefined
  const onError = (reason: unknown) =>
    toasts.error(planText.packFailed, refusalText(reason), 'rule-pack')

  /** Returns the rules that are typed; null, with the errors shown, if one of them is wrong. */
  async function typedRules(): Promise<RaceRules | null> {
    const names = Object.keys(rulesValidators) as (keyof typeof rulesValidators)[]
    return (await trigger(names, { shouldFocus: true })) ? rulesFrom(getValues()) : null
  }
  async function save() {
    const rules = await typedRules()
    if (!rules) return
    // One that the app contains is copied.
    const id = own?.id ?? crypto.randomUUID()
    change.mutate(
      { do: 'save', id, rules },
      {
        onSuccess: () => {
          setValue('pack', id)
          toasts.success(planText.packSaved, rules.name, 'rule-pack')
        },
        onError,
      },
    )
  }
  async function exportRules() {
    const rules = await typedRules()
    if (rules) download(rules)
  }
  function remove({ id }: RulePack) {
    change.mutate(
      { do: 'remove', id },
      {
        onSuccess: () => {
          setValue('pack', '')
          setRemoving(false)
        },
        onError,
      },
    )
  }
  return (
    <div className={styles.packActions}>
      <Button variant="quiet" narrow busy={change.isPending} onClick={() => void save()}>
        {own ? planText.savePack : planText.saveAsPack}
      </Button>
      <Button variant="quiet" narrow onClick={() => void exportRules()}>
        {planText.exportPack}
      </Button>
      <ImportPack teamId={teamId} onImported={onChoose} />
      {own && (
        <>
          <Button variant="quiet" narrow onClick={() => setRemoving(true)}>
            {planText.removePack}
          </Button>
          <ConfirmDialog
            open={isRemoving}
            title={planText.removePackTitle(own.rules.name)}
            text={planText.removePackText}
            cancelLabel={planText.cancel}
            confirmLabel={planText.removePack}
            busy={change.isPending}
            onCancel={() => setRemoving(false)}
            onConfirm={() => remove(own)}
          />
        </>
      )}
    </div>
  )
}

/** Saves rules as a file that another team can import. */
function download(rules: RaceRules) {
  const file: RulePackFile = { format: 'pitboard-rule-pack', version: 1, rules }
  const url = URL.createObjectURL(
    new Blob([JSON.stringify(file, null, 2)], { type: 'application/json' }),
  )
  const link = document.createElement('a')
  link.href = url
  link.download = `${rules.name.replaceAll(/[^\p{L}\p{N}]+/gu, '-')}.json`
  link.click()
  // The browser has read it once the task is over.
  setTimeout(() => URL.revokeObjectURL(url))
}
