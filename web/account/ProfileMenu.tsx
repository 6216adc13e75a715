import { useQuery } from '@tanstack/react-query'
import {
  Bell,
  Download,
  KeyRound,
  LogOut,
  Mail,
  MapPinOff,
  MonitorSmartphone,
  ShieldCheck,
  UserPen,
  UserX,
} from 'lucide-react'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useNavigate } from 'react-router'
import { useMe } from '#web/api/login.ts'
import { newestPhotoUrl } from '#web/api/pictures.ts'
import { teamsQuery } from '#web/api/teamQueries.ts'
import { profileText } from '#web/text/profile.ts'
import { ConfirmDialog } from '#web/ui/Dialog.tsx'
import { Initials, Menu, MenuItem } from '#web/ui/Menu.tsx'
import { DeleteAllPositions } from './DeleteAllPositions.tsx'
import { DevicesDialog } from './DevicesDialog.tsx'
import { EmailDialog } from './EmailDialog.tsx'
import { initialsOf } from './initialsOf.ts'
import { NameDialog } from './NameDialog.tsx'
import { useSignOut } from './useSignOut.ts'

const ExportDialog = lazy(async () => ({
  default: (await import('./ExportDialog.tsx')).ExportDialog,
}))

const DeleteAccountDialog = lazy(async () => ({
  default: (await import('./DeleteAccountDialog.tsx')).DeleteAccountDialog,
}))

const PasskeysDialog = lazy(async () => ({
  default: (await import('./PasskeysDialog.tsx')).PasskeysDialog,
}))

const NotificationsDialog = lazy(async () => ({
  default: (await import('./NotificationsDialog.tsx')).NotificationsDialog,
}))

/** Menu of the signed-in user: name, email, devices, positions, sign-out. */
export function ProfileMenu({ children }: { children?: ReactNode }) {
  const me = useMe()
  const [naming, setNaming] = useState(false)
  const [changingEmail, setChangingEmail] = useState(false)
  const [listing, setListing] = useState(false)
  const [showingPasskeys, setShowingPasskeys] = useState(false)
  const [choosingEvents, setChoosingEvents] = useState(false)
  const [deleting, setDeleting] = useState(false)
  const [exporting, setExporting] = useState(false)
  const [leaving, setLeaving] = useState(false)
  const signOut = useSignOut()
  const navigate = useNavigate()
  const { data: teams } = useQuery(teamsQuery)
  const photo = newestPhotoUrl(me.id, teams ?? [])
  const name = [me.firstName, me.lastName].filter(Boolean).join(' ')
  const email = me.email ?? profileText.anonymous
  return (
    <>
      <Menu
        label={profileText.menu}
        button={<Initials picture={photo}>{initialsOf(me)}</Initials>}
        title={name || email}
        {...(name && { detail: email })}
      >
        <MenuItem icon={<UserPen aria-hidden />} onChoose={() => setNaming(true)}>
          {profileText.editName}
        </MenuItem>
        {me.email !== null && (
          <MenuItem icon={<Mail aria-hidden />} onChoose={() => setChangingEmail(true)}>
            {profileText.changeEmail}
          </MenuItem>
        )}
        {me.email !== null && (
          <MenuItem icon={<Bell aria-hidden />} onChoose={() => setChoosingEvents(true)}>
            {profileText.notifications}
          </MenuItem>
        )}
        <MenuItem icon={<MonitorSmartphone aria-hidden />} onChoose={() => setListing(true)}>
          {profileText.devices}
        </MenuItem>
        <MenuItem icon={<KeyRound aria-hidden />} onChoose={() => setShowingPasskeys(true)}>
          {profileText.passkeys}
        </MenuItem>
        <MenuItem icon={<MapPinOff aria-hidden />} onChoose={() => setDeleting(true)}>
          {profileText.deletePositions}
        </MenuItem>
        {me.email !== null && (
          <MenuItem icon={<Download aria-hidden />} onChoose={() => setExporting(true)}>
            {profileText.exportData}
          </MenuItem>
        )}
        {me.email !== null && (
          <MenuItem icon={<UserX aria-hidden />} onChoose={() => setLeaving(true)}>
            {profileText.deleteAccount}
          </MenuItem>
        )}
        <MenuItem icon={<ShieldCheck aria-hidden />} onChoose={() => void navigate('/privacy')}>
          {profileText.privacy}
        </MenuItem>
        {children}
        <MenuItem icon={<LogOut aria-hidden />} onChoose={() => void signOut.request()}>
          {profileText.signOut}
        </MenuItem>
      </Menu>
      <NameDialog open={naming} onClose={() => setNaming(false)} />
      <EmailDialog open={changingEmail} onClose={() => setChangingEmail(false)} />
      <DevicesDialog open={listing} onClose={() => setListing(false)} />
      {showingPasskeys && (
        <Suspense>
          <PasskeysDialog onClose={() => setShowingPasskeys(false)} />
        </Suspense>
      )}
      <Suspense>
        {choosingEvents && <NotificationsDialog onClose={() => setChoosingEvents(false)} />}
        {exporting && <ExportDialog onClose={() => setExporting(false)} />}
        {leaving && <DeleteAccountDialog onClose={() => setLeaving(false)} />}
      </Suspense>
      <DeleteAllPositions open={deleting} onClose={() => setDeleting(false)} />
      <ConfirmDialog
        open={signOut.unsent !== null}
        title={profileText.unsentTitle}
        text={profileText.unsentText(signOut.unsent?.positions ?? 0, signOut.unsent?.changes ?? 0)}
        cancelLabel={profileText.staySignedIn}
        confirmLabel={profileText.signOutAndDelete}
        onCancel={signOut.stay}
        onConfirm={signOut.confirm}
      />
    </>
  )
}
