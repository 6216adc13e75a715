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
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { DeskMenuItem } from '#support/web/registerMenu.tsx'
import { useMe } from '#web/api/login.ts'
import { loginQuery } from '#web/api/loginQuery.ts'
import { newestPhotoUrl } from '#web/api/pictures.ts'
import { teamsQuery } from '#web/api/teamQueries.ts'
import { profileText } from '#web/text/profile.ts'
import { ConfirmDialog } from '#web/ui/Dialog.tsx'
import { Initials, Menu, MenuItem } from '#web/ui/Menu.tsx'
import { DeleteAccountDialog } from './DeleteAccountDialog.tsx'
import { DeleteAllPositions } from './DeleteAllPositions.tsx'
import { DevicesDialog } from './DevicesDialog.tsx'
import { EmailDialog } from './EmailDialog.tsx'
import { ExportDialog } from './ExportDialog.tsx'
import { initialsOf } from './initialsOf.ts'
import { NameDialog } from './NameDialog.tsx'
import { NotificationsDialog } from './NotificationsDialog.tsx'
import { PasskeysDialog } from './PasskeysDialog.tsx'
import { useSignOut } from './useSignOut.ts'

/** Menu of the signed-in user: name, email, devices, positions, sign-out; for agents also the support desk. */
export function ProfileMenu() {
  const me = useMe()
  const hasSupport = useQuery(loginQuery).data?.login?.support
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
        label={profileText.menu(initialsOf(me))}
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
        {hasSupport && <DeskMenuItem />}
        <MenuItem icon={<LogOut aria-hidden />} onChoose={() => void signOut.request()}>
          {profileText.signOut}
        </MenuItem>
      </Menu>
      <NameDialog open={naming} onClose={() => setNaming(false)} />
      <EmailDialog open={changingEmail} onClose={() => setChangingEmail(false)} />
      <DevicesDialog open={listing} onClose={() => setListing(false)} />
      {showingPasskeys && <PasskeysDialog onClose={() => setShowingPasskeys(false)} />}
      {choosingEvents && <NotificationsDialog onClose={() => setChoosingEvents(false)} />}
      {exporting && <ExportDialog onClose={() => setExporting(false)} />}
      {leaving && <DeleteAccountDialog onClose={() => setLeaving(false)} />}
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
