import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { maxNameLetters } from '#contract/shared/bounds.ts'
import { protocol } from '#contract/shared/liveRules.ts'
import { type DeviceScope, deviceScopes } from '#contract/shared/scopes.ts'
import { command } from '#web/api/call.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { refusedFields, showRefusedFields } from '#web/api/showRefusedFields.ts'
import { profileText } from '#web/text/profile.ts'
import { tokensText } from '#web/text/tokens.ts'
import { Button } from '#web/ui/Button.tsx'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { CopyField } from '#web/ui/CopyField.tsx'
import { DialogError, FormDialog, SaveChoices } from '#web/ui/Dialog.tsx'
import { Field } from '#web/ui/Field.tsx'
import typography from '#web/ui/theme/typography.module.css'
import { Stack } from '#web/ui/Wrap.tsx'
import { loginsQuery } from './loginsQuery.ts'
import styles from './TokenDialog.module.css'

/** Creates a token for a device, and shows it once. */
export function TokenDialog({ onClose }: { onClose: () => void }) {
  const create = useCreateToken()
  const created = create.data
  return (
    <FormDialog
      open
      title={created ? tokensText.created : tokensText.title}
      busy={create.isPending}
      onClose={onClose}
    >
      {created ? (
        <Created token={created.token} name={create.variables.name} onClose={onClose} />
      ) : (
        <TokenForm create={create} onCancel={onClose} />
      )}
    </FormDialog>
  )
}

interface NewToken {
  name: string
  scopes: DeviceScope[]
}

function useCreateToken() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (device: NewToken) => command('auth.createToken', device),
    onSuccess: () => client.invalidateQueries({ queryKey: loginsQuery.queryKey }),
  })
}

interface FormProps {
  create: ReturnType<typeof useCreateToken>
  onCancel: () => void
}

const fields = ['name', 'scopes'] as const

function TokenForm({ create, onCancel }: FormProps) {
  const { register, handleSubmit, formState, setError } = useForm<NewToken>({
    mode: 'onTouched',
    defaultValues: { name: '', scopes: ['drive'] },
  })
  const { errors } = formState
  function save(device: NewToken) {
    create.mutate(device, { onError: reason => void showRefusedFields(reason, fields, setError) })
  }
  return (
    <form noValidate onSubmit={event => void handleSubmit(save)(event)}>
      <Stack>
        <p className={typography.sub}>{tokensText.text}</p>
        <Field
          {...register('name', {
            validate: text => text.trim() !== '' || tokensText.nameMissing,
          })}
          label={tokensText.name}
          error={errors.name?.message}
          maxLength={maxNameLetters}
          autoComplete="off"
        />
        <fieldset className={styles.scopes}>
          <legend>{tokensText.scopes}</legend>
          {deviceScopes.map(scope => (
            <Checkbox
              key={scope}
              {...register('scopes', {
                validate: chosen => chosen.length > 0 || tokensText.scopesMissing,
              })}
              value={scope}
              label={tokensText[scope]}
            />
          ))}
        </fieldset>
        {errors.scopes?.message && <DialogError>{errors.scopes.message}</DialogError>}
        {create.error && refusedFields(create.error, fields).length === 0 && (
          <DialogError>{refusalText(create.error)}</DialogError>
        )}
      </Stack>
      <SaveChoices
        cancelLabel={profileText.cancel}
        saveLabel={tokensText.create}
        valid={formState.isValid}
        busy={create.isPending}
        onCancel={onCancel}
      />
    </form>
  )
}

interface CreatedProps {
  token: string
  name: string
  onClose: () => void
}

function Created({ token, name, onClose }: CreatedProps) {
  const texts = [
    { label: tokensText.token, text: token },
    {
      label: tokensText.example,
      text: `curl "${location.origin}/api/users.me" -H "authorization: Bearer ${token}"`,
    },
    {
      label: tokensText.liveExample,
      text: `npx wscat -c "${location.origin.replace('http', 'ws')}/live" -H "authorization: Bearer ${token}" -x '{"t":"hello","protocol":${protocol}}' -w 3`,
    },
  ]
  return (
    <Stack>
      <p className={typography.sub}>{tokensText.createdText(name)}</p>
      {texts.map(({ label, text }) => (
        <CopyField
          key={label}
          label={label}
          text={text}
          copyLabel={tokensText.copy(label)}
          messages={{
            copied: tokensText.copied,
            failed: tokensText.copyFailed,
            failedText: tokensText.copyFailedText,
          }}
        />
      ))}
      <Button onClick={onClose}>{profileText.close}</Button>
    </Stack>
  )
}
