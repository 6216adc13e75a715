import { useQueryClient } from '@tanstack/react-query'
import { useForm, useWatch } from 'react-hook-form'
import type { TimingSource } from '#contract/timing.ts'
import { command } from '#web/api/call.ts'
import { timingText } from '#web/text/timing.ts'
import { Button } from '#web/ui/Button.tsx'
import { CopyField } from '#web/ui/CopyField.tsx'
import { Field } from '#web/ui/Field.tsx'
import typography from '#web/ui/theme/typography.module.css'
import { useCommand } from '#web/ui/useCommand.ts'
import styles from './SourceForm.module.css'
import { timingQuery } from './timingQuery.ts'

/** The port of Orbits and of most other timekeepers. */
const usualPort = 50_000

const kinds = ['rmonitor', 'push', 'none'] as const

interface Fields {
  kind: (typeof kinds)[number]
  host: string
  port: string
}

interface Props {
  raceId: string
  source: TimingSource | null
}

/** The choice of the source that a race's official timing comes from. */
export function SourceForm({ raceId, source }: Props) {
  const client = useQueryClient()
  const { register, handleSubmit, control, formState } = useForm<Fields>({
    defaultValues: {
      kind: source === null || source.kind === 'recorded' ? 'none' : source.kind,
      host: source?.kind === 'rmonitor' ? source.host : '',
      port: String(source?.kind === 'rmonitor' ? source.port : usualPort),
    },
  })
  const save = useCommand({
    failed: timingText.saveFailed,
    send: (fields: Fields) => command('timing.setSource', { raceId, source: sourceOf(fields) }),
    onSuccess: timing => client.setQueryData(timingQuery(raceId).queryKey, timing),
  })
  const kind = useWatch({ control, name: 'kind' })
  const { errors } = formState
  const relay = `node relay.mjs --from HOST:${usualPort} --to ${location.origin} --race ${raceId} --token TOKEN`
  return (
    <form
      noValidate
      className={styles.form}
      onSubmit={event => void handleSubmit(fields => save.mutate(fields))(event)}
    >
      <fieldset className={styles.kinds}>
        <legend className={typography.h2}>{timingText.sourceTitle}</legend>
        {kinds.map(each => (
          <label key={each}>
            <input type="radio" value={each} {...register('kind')} />
            <span>
              <b>{timingText.sources[each]}</b>
              {timingText.sourceTexts[each]}
            </span>
          </label>
        ))}
      </fieldset>
      {kind === 'rmonitor' && (
        <>
          <div className={styles.address}>
            <Field
              {...register('host', {
                validate: host => /^[\w.:-]{1,253}$/.test(host.trim()) || timingText.hostMissing,
              })}
              label={timingText.host}
              error={errors.host?.message}
              autoCapitalize="none"
              autoComplete="off"
              spellCheck={false}
            />
            <Field
              {...register('port', {
                validate: port =>
                  (/^\d{1,5}$/.test(port) && Number(port) >= 1 && Number(port) <= 65_535) ||
                  timingText.portInvalid,
              })}
              label={timingText.port}
              error={errors.port?.message}
              inputMode="numeric"
              autoComplete="off"
            />
          </div>
          <p className={typography.sub}>{timingText.ask}</p>
        </>
      )}
      {kind === 'push' && (
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
      )}
      <Button type="submit" busy={save.isPending}>
        {kind === 'rmonitor' ? timingText.saveAndConnect : timingText.save}
      </Button>
    </form>
  )
}

function sourceOf({ kind, host, port }: Fields): TimingSource | null {
  if (kind === 'none') return null
  return kind === 'push' ? { kind } : { kind, host: host.trim(), port: Number(port) }
}
