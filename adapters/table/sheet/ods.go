package sheet

func openODS(a *archive, most int64) (Workbook, error) { return nil, errOther }
