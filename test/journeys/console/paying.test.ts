import { describePaying } from './paying.ts'

describePaying({ title: 'in Chinese on a phone', language: 'zh', isOnPhone: true })
