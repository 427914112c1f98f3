import type { ComponentType } from 'react'
import { expect, onTestFinished, test } from 'vitest'
import { Route } from 'wouter'
import Activate from './activate.tsx'
import ConfirmCode from './confirm-code.tsx'
import ForgotPassword from './forgot-password.tsx'
import Login from './login.tsx'
import SetPassword from './set-password.tsx'
import { mountAccess } from './testing/mount-access.tsx'

test.each<[title: string, Page: ComponentType, path: string, at: string]>([
  ['Sign in', Login, '/login', '/login'],
  ['Forgot Password', ForgotPassword, '/forgot-password', '/forgot-password'],
  ['Confirmation code', ConfirmCode, '/confirm-code/:userName', '/confirm-code/operator'],
  ['Activate your account', Activate, '/user/activate/:token', '/user/activate/one'],
  ['Set password', SetPassword, '/set-password/:id/:token', '/set-password/u1/one'],
])('the window says where one is: %s', async (title, Page, path, at) => {
  const { unmount } = mountAccess(<Route path={path} component={Page} />, { at })
  onTestFinished(unmount)
  await expect.poll(() => document.title).toBe(`${title} · Frostline`)
})
