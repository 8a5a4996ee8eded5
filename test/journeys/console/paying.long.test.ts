// Paying in Chromium, in both languages (paying.ts).
import { describePaying } from './paying.ts'

describePaying({ title: 'in English on a desk', language: 'en' })
describePaying({ title: 'in Chinese on a phone', language: 'zh', isOnPhone: true })
