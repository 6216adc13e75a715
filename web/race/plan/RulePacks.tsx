import { useState } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'
import type { RaceRules, RulePack, RulePackFile } from '#contract/rulePacks.ts'
import { noRules } from '#contract/shared/raceRules.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { planText } from '#web/text/plan.ts'
import { Button } from '#web/ui/Button.tsx'
import { ConfirmDialog } from '#web/ui/Dialog.tsx'
import { SelectField } from '#web/ui/SelectField.tsx'
import { useToasts } from '#web/ui/toasts.ts'
import { ImportPack } from './ImportPack.tsx'
import styles from './Plan.module.css'
import { type RulesFields, rulesFrom, rulesValidators } from './rulesFields.ts'
import { useChangePacks, useRulePacks } from './useRulePacks.ts'

interface Props {
  teamId: string
  onChoose: (rules: RaceRules) => void
}

/** The choice of no pack. */
const noPack = 'none'

export function RulePacks({ teamId, onChoose }: Props) {
  const { data: packs = [] } = useRulePacks(teamId)
  const { control } = useFormContext<RulesFields>()
  const [name, source] = useWatch({ control, name: ['rulesName', 'source'] })
  // A changed pack is not the pack any more, but has its name until it gets another one.
  const pack = packs.find(({ rules }) => rules.name === name)
  const isNone = name === noRules.name
  return (
    <div className={styles.packs}>
      <SelectField
        label={planText.pack}
        value={pack?.id ?? (isNone ? noPack : '')}
        onChange={({ target }) => {
          const chosen = packs.find(({ id }) => id === target.value)
          onChoose(chosen?.rules ?? noRules)
        }}
      >
        {/* The race's own rules, which no pack contains. */}
        {!pack && !isNone && <option value="">{name}</option>}
        <option value={noPack}>{planText.noRules}</option>
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
    </div>
  )
}

/** Saves the typed rules as a pack, exports them, and imports and removes packs. */
export function PackActions({
  teamId,
  onChoose,
}: {
  teamId: string
  onChoose: (rules: RaceRules) => void
}) {
  const toasts = useToasts()
  const change = useChangePacks(teamId)
  const { trigger, getValues, control } = useFormContext<RulesFields>()
  const { data: packs = [] } = useRulePacks(teamId)
  const name = useWatch({ control, name: 'rulesName' })
  const pack = packs.find(({ rules }) => rules.name === name)
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
        onSuccess: () => toasts.success(planText.packSaved, rules.name, 'rule-pack'),
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
        onSuccess: () => setRemoving(false),
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
      <ImportPack teamId={teamId} onImported={({ rules }) => onChoose(rules)} />
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
