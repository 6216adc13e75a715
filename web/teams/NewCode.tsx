import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { joinCodeLifeMs, joinCodeUses } from '#contract/shared/joinCode.ts'
import type { MemberRole } from '#contract/teams.ts'
import { command } from '#web/api/call.ts'
import { joinText } from '#web/text/join.ts'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { SelectField } from '#web/ui/SelectField.tsx'
import { useCommand } from '#web/ui/useCommand.ts'
import { Stack } from '#web/ui/Wrap.tsx'
import { type CodeLife, codeEndsAt, codeLives } from './codeLife.ts'
import styles from './JoinCodeScreen.module.css'
import { codesQuery } from './joinQueries.ts'

interface Chosen {
  asks: 'yes' | 'no'
  role: MemberRole
  life: CodeLife
  maxUses: string
}

/** The form for a code: everything is chosen already. */
export function NewCode({ teamId }: { teamId: string }) {
  const client = useQueryClient()
  const [lives] = useState(() => codeLives(Date.now()))
  const { register, handleSubmit, formState, control } = useForm<Chosen>({
    defaultValues: {
      asks: 'yes',
      role: 'member',
      life: lives[0] ?? 'longest',
      maxUses: String(joinCodeUses.usual),
    },
  })
  const asks = useWatch({ control, name: 'asks' }) === 'yes'
  const show = useCommand({
    send: ({ asks, role, life, maxUses }: Chosen) =>
      command('joinCodes.show', {
        teamId,
        role,
        asks: asks === 'yes',
        maxUses: Number(maxUses),
        expiresAt: Math.min(codeEndsAt(life, Date.now()), Date.now() + joinCodeLifeMs - 60_000),
      }),
    failed: joinText.notShown,
    onSuccess: code =>
      client.setQueryData(codesQuery(teamId).queryKey, (codes = []) => [code, ...codes]),
  })
  const isCount = (text: string) =>
    (/^\d+$/.test(text.trim()) && Number(text) >= 1 && Number(text) <= joinCodeUses.most) ||
    joinText.peopleBounds(joinCodeUses.most)
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={event => void handleSubmit(it => show.mutate(it))(event)}
    >
      <Stack>
        <SelectField
          {...register('asks')}
          label={joinText.who}
          hint={asks ? joinText.asksHint : joinText.atOnceHint}
        >
          <option value="yes">{joinText.asks}</option>
          <option value="no">{joinText.atOnce}</option>
        </SelectField>
        <SelectField {...register('role')} label={joinText.role}>
          <option value="member">{joinText.roles.member}</option>
          <option value="viewer">{joinText.roles.viewer}</option>
        </SelectField>
        <SelectField {...register('life')} label={joinText.valid}>
          {lives.map(life => (
            <option key={life} value={life}>
              {joinText.validFor[life]}
            </option>
          ))}
        </SelectField>
        <Field
          {...register('maxUses', { validate: isCount })}
          label={joinText.people}
          error={formState.errors.maxUses?.message}
          inputMode="numeric"
        />
        <Button type="submit" busy={show.isPending}>
          {joinText.show}
        </Button>
      </Stack>
    </form>
  )
}
