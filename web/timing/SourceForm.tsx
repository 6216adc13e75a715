import { useQueryClient } from '@tanstack/react-query'
import { useForm, useWatch } from 'react-hook-form'
import { maxTimingLetters, type Provider, providerNumbers } from '#contract/shared/timingRules.ts'
import type { OfficialTiming, TimingSource } from '#contract/timing.ts'
import { command } from '#web/api/call.ts'
import { timingText } from '#web/text/timing.ts'
import { Button } from '#web/ui/Button.tsx'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { CopyField } from '#web/ui/CopyField.tsx'
import { ConfirmDialog } from '#web/ui/Dialog.tsx'
import { Field } from '#web/ui/Field.tsx'
import { SelectField } from '#web/ui/SelectField.tsx'
import typography from '#web/ui/theme/typography.module.css'
import { useCommand } from '#web/ui/useCommand.ts'
import { useConfirmation } from '#web/ui/useConfirmation.ts'
import { RMonitorFields } from './RMonitorFields.tsx'
import styles from './SourceForm.module.css'
import { type FieldsOfForm, type SourceFields, sourceChoices, usualPort } from './sourceFields.ts'
import { timingQuery } from './timingQuery.ts'
import type { Recording } from './useRecording.ts'

interface Props {
  raceId: string
  source: TimingSource | null
  /** True if the token of its provider was deleted. */
  lacksToken: boolean
  recording: Recording
}

/** The choice of the source that a race's official timing comes from. */
export function SourceForm({ raceId, source, lacksToken, recording }: Props) {
  const client = useQueryClient()
  const { register, handleSubmit, control, formState, setValue, reset } = useForm<SourceFields>({
    defaultValues: fieldsOf(source),
  })
  const show = (timing: OfficialTiming) => client.setQueryData(timingQuery(raceId).queryKey, timing)
  const save = useCommand({
    failed: timingText.saveFailed,
    send: (fields: SourceFields) =>
      command('timing.setSource', {
        raceId,
        source: sourceOf(fields),
        ...(fields.token.trim() !== '' && { token: fields.token.trim() }),
        ...(fields.forgetFlags && { forgetFlags: true }),
      }),
    onSuccess(timing) {
      reset(fieldsOf(timing.source))
      show(timing)
    },
  })
  const deleteToken = useCommand({
    failed: timingText.tokenNotDeleted,
    send: () => command('timing.setSource', { raceId, source, token: null }),
    onSuccess: show,
  })
  const deletion = useConfirmation(() => deleteToken.mutate())
  const submit = (fields: SourceFields) => {
    const [file] = fields.files ?? []
    if (fields.kind === 'recorded' && file) void recording.play(file, Number(fields.speed))
    else save.mutate(fields)
  }
  const kind = useWatch({ control, name: 'kind' })
  const { errors } = formState
  const hasToken = isProvider(kind) && source?.kind === kind && !lacksToken
  return (
    <form noValidate className={styles.form} onSubmit={event => void handleSubmit(submit)(event)}>
      <fieldset className={styles.kinds}>
        <legend className={typography.h2}>{timingText.sourceTitle}</legend>
        {sourceChoices.map(each => (
          <label key={each}>
            <input type="radio" value={each} {...register('kind')} />
            <span>
              <b>{timingText.sources[each]}</b>
              {timingText.sourceTexts[each]}
            </span>
          </label>
        ))}
      </fieldset>
      {kind === 'rmonitor' && <RMonitorFields {...{ register, errors, setValue }} />}
      {isProvider(kind) && <ProviderFields {...{ kind, register, errors, hasToken }} />}
      {hasToken && (
        <Button variant="quiet" busy={deleteToken.isPending} onClick={deletion.ask}>
          {timingText.deleteToken}
        </Button>
      )}
      {kind === 'push' && <Relay raceId={raceId} />}
      {kind === 'recorded' && <RecordedFields {...{ register, errors }} />}
      {source && kind !== 'none' && kind !== 'recorded' && (
        <Checkbox {...register('forgetFlags')} label={timingText.forgetFlags} />
      )}
      <Button type="submit" busy={save.isPending}>
        {saveLabel(kind)}
      </Button>
      <ConfirmDialog
        {...deletion.dialog}
        title={timingText.deleteTokenTitle}
        text={timingText.deleteTokenText}
        cancelLabel={timingText.keepToken}
        confirmLabel={timingText.deleteToken}
      />
    </form>
  )
}

function Relay({ raceId }: { raceId: string }) {
  const relay = `node relay.mjs --from HOST:${usualPort} --to ${location.origin} --race ${raceId} --token TOKEN`
  return (
    <>
      <CopyField
        label={timingText.relay}
        text={relay}
        copyLabel={timingText.copyRelay}
        messages={{
          copied: timingText.copied,
          failed: timingText.notCopied,
          failedText: timingText.notCopiedText,
        }}
      />
      <p className={typography.sub}>{timingText.relayHint}</p>
    </>
  )
}

function isProvider(kind: SourceFields['kind']): kind is Provider {
  return kind in providerNumbers
}

function saveLabel(kind: SourceFields['kind']): string {
  if (kind === 'recorded') return timingText.play
  return kind === 'push' || kind === 'none' ? timingText.save : timingText.saveAndConnect
}

function fieldsOf(source: TimingSource | null): SourceFields {
  return {
    kind: source?.kind ?? 'none',
    host: source?.kind === 'rmonitor' ? source.host : '',
    port: String(source?.kind === 'rmonitor' ? source.port : usualPort),
    number: numberOf(source),
    token: '',
    forgetFlags: false,
    files: null,
    speed: String(source?.kind === 'recorded' ? source.speed : 1),
  }
}

/** Returns how its provider names the race or event; empty for a source without one. */
function numberOf(source: TimingSource | null): string {
  switch (source?.kind) {
    case 'race-monitor':
      return source.raceId
    case 'racehero':
      return source.eventId
    case 'rmonitor':
    case 'push':
    case 'recorded':
    case undefined:
      return ''
  }
}

/** Returns the source; null for none, and for a recorded file, which is set when it is played. */
function sourceOf({ kind, host, port, number }: SourceFields): TimingSource | null {
  switch (kind) {
    case 'none':
    case 'recorded':
      return null
    case 'push':
      return { kind }
    case 'rmonitor':
      return { kind, host: host.trim(), port: Number(port) }
    case 'race-monitor':
      return { kind, raceId: number.trim() }
    case 'racehero':
      return { kind, eventId: number.trim() }
  }
}

const speeds = [1, 10, 60]
/** Faster than the server accepts lines, so that its limits decide. */
const fastest = 1000

/** A recorded file, and how fast it is played. */
function RecordedFields({ register, errors }: FieldsOfForm) {
  return (
    <>
      <Field
        {...register('files', { validate: fileError })}
        type="file"
        accept=".txt,.log,.csv,text/plain"
        label={timingText.recordedFile}
        error={errors.files?.message}
      />
      <SelectField label={timingText.speed} {...register('speed')}>
        {speeds.map(times => (
          <option key={times} value={times}>
            {timingText.speeds(times)}
          </option>
        ))}
        <option value={fastest}>{timingText.fastest}</option>
      </SelectField>
      <p className={typography.sub}>{timingText.recordedHint}</p>
    </>
  )
}

function fileError(files: FileList | null): true | string {
  const [file] = files ?? []
  if (!file) return timingText.recordedMissing
  return file.size <= maxTimingLetters || timingText.recordedTooLarge
}

interface ProviderProps extends FieldsOfForm {
  kind: Provider
  /** True if the token of this provider is stored: it is never shown. */
  hasToken: boolean
}

const inputModes = { 'race-monitor': 'numeric', racehero: 'text' } as const

/** The race or event at a provider of timing, and the token of the team's account there. */
function ProviderFields({ kind, register, errors, hasToken }: ProviderProps) {
  const text = timingText.providers[kind]
  return (
    <>
      <Field
        {...register('number', {
          validate: number => providerNumbers[kind].test(number.trim()) || text.invalid,
        })}
        label={text.number}
        error={errors.number?.message}
        inputMode={inputModes[kind]}
        autoCapitalize="none"
        spellCheck={false}
      />
      <Field
        {...register('token', {
          validate: token =>
            (token.trim() === '' && hasToken) ||
            /^[\x21-\x7e]{1,500}$/.test(token.trim()) ||
            timingText.tokenInvalid,
        })}
        label={hasToken ? timingText.tokenStored : timingText.token}
        error={errors.token?.message}
        type="password"
      />
      <p className={typography.sub}>{text.hint}</p>
    </>
  )
}
