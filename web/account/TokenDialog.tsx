import { useQueryClient } from '@tanstack/react-query'
import { maxNameLetters } from '#contract/shared/bounds.ts'
import { protocol } from '#contract/shared/liveRules.ts'
import { type DeviceScope, deviceScopes } from '#contract/shared/scopes.ts'
import { command } from '#web/api/call.ts'
import { appText } from '#web/text/app.ts'
import { tokensText } from '#web/text/tokens.ts'
import { Button } from '#web/ui/Button.tsx'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { CopyField } from '#web/ui/CopyField.tsx'
import { DialogChoices, DialogError, FormDialog } from '#web/ui/Dialog.tsx'
import { Field } from '#web/ui/Field.tsx'
import { required } from '#web/ui/required.ts'
import { SaveDialog, useSaveForm } from '#web/ui/SaveDialog.tsx'
import typography from '#web/ui/theme/typography.module.css'
import { Stack } from '#web/ui/Wrap.tsx'
import { loginsQuery } from './loginsQuery.ts'
import styles from './TokenDialog.module.css'

interface NewToken {
  name: string
  scopes: DeviceScope[]
}

/** Creates a token for a device, and shows it once. */
export function TokenDialog({ onClose }: { onClose: () => void }) {
  const client = useQueryClient()
  const { register, errors, form } = useSaveForm({
    defaultValues: { name: '', scopes: ['drive'] },
    fields: ['name', 'scopes'],
    send: (device: NewToken) => command('auth.createToken', device),
    onSaved: () => client.invalidateQueries({ queryKey: loginsQuery.queryKey }),
  })
  const { data, variables } = form.save
  if (data)
    return (
      <FormDialog title={tokensText.created} onClose={onClose}>
        <Created token={data.token} name={variables.name} onClose={onClose} />
      </FormDialog>
    )
  return (
    <SaveDialog
      title={tokensText.title}
      form={form}
      saveLabel={tokensText.create}
      onClose={onClose}
    >
      <p className={typography.sub}>{tokensText.text}</p>
      <Field
        {...register('name', required(tokensText.nameMissing))}
        label={tokensText.name}
        error={errors.name?.message}
        maxLength={maxNameLetters}
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
    </SaveDialog>
  )
}

function Created({ token, name, onClose }: { token: string; name: string; onClose: () => void }) {
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
      <DialogChoices>
        <Button onClick={onClose}>{appText.close}</Button>
      </DialogChoices>
    </Stack>
  )
}
