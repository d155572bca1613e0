import { Option } from 'commander';

/** The option of every command that changes something. */
export const reasonOption = (): Option => new Option('--reason <text>', 'the reason, for the history');

export const isReasonOption = ({ long }: Option): boolean => long === '--reason';
